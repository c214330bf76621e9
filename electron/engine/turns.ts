/** Somebody who waits for a place on a model (null: for none, it may start at once). */
export interface Waiting {
  readonly id: string;
  readonly client: string;
  readonly model: string | null;
  /** Its place in the order of creation. */
  readonly row: number;
}

/**
 * The order of what waits: the client whose last turn is longest ago is next; first in first out within one client,
 * of those that may start.
 */
export class Turns<T extends Waiting> {
  /** Each client's entries by model, oldest first. */
  readonly #clients = new Map<string, Map<string | null, T[]>>();
  /** When each client had its last turn, also of those that have nothing waiting now. */
  readonly #lastTurn = new Map<string, number>();
  #turns = 0;

  add(entry: T): void {
    const lanes = this.#clients.get(entry.client) ?? new Map<string | null, T[]>();
    this.#clients.set(entry.client, lanes);
    const lane = lanes.get(entry.model);
    if (lane === undefined) lanes.set(entry.model, [entry]);
    else lane.push(entry);
  }

  remove(entry: Waiting): void {
    const lanes = this.#clients.get(entry.client);
    const lane = lanes?.get(entry.model);
    const index = lane?.findIndex(({ id }) => id === entry.id) ?? -1;
    if (lanes === undefined || lane === undefined || index < 0) return;
    lane.splice(index, 1);
    if (lane.length === 0) lanes.delete(entry.model);
    if (lanes.size === 0) this.#clients.delete(entry.client);
  }

  /** Takes the next entry whose model `mayStart`. */
  take(mayStart: (model: string | null) => boolean): T | undefined {
    for (const [client, lanes] of this.#byTurn()) {
      const heads = [...lanes.values()].flatMap((lane) => lane.slice(0, 1)).sort((a, b) => a.row - b.row);
      const entry = heads.find(({ model }) => mayStart(model));
      if (entry === undefined) continue;
      this.remove(entry);
      this.#lastTurn.set(client, ++this.#turns);
      return entry;
    }
    return undefined;
  }

  /** How many turns it is from the next one, which is 1, when clients take turns and models do not matter. */
  position(wanted: Waiting): number {
    const turn = this.#byTurn().findIndex(([client]) => client === wanted.client);
    const ahead = this.#entriesOf(wanted.client).filter(({ row }) => row < wanted.row).length;
    const others = this.#byTurn().map(([client], index) =>
      client === wanted.client ? 0 : Math.min(this.#entriesOf(client).length, ahead + (index < turn ? 1 : 0)),
    );
    return others.reduce((sum, count) => sum + count, ahead + 1);
  }

  #entriesOf(client: string): T[] {
    return [...(this.#clients.get(client)?.values() ?? [])].flat();
  }

  #byTurn(): [string, Map<string | null, T[]>][] {
    const lastTurn = (client: string) => this.#lastTurn.get(client) ?? 0;
    return [...this.#clients].sort(([a], [b]) => lastTurn(a) - lastTurn(b));
  }
}
