import type { Task } from "../../shared/task";

type Waiting = Pick<Task, "id" | "client" | "model" | "row">;

/**
 * The order of waiting tasks: the client whose last turn is longest ago is next; first in first out within one client,
 * of those that may start.
 */
export class Turns<T extends Waiting> {
  /** Each client's tasks by model, oldest first. */
  readonly #clients = new Map<string, Map<string | null, T[]>>();
  /** When each client had its last turn, also of those that have nothing waiting now. */
  readonly #lastTurn = new Map<string, number>();
  #turns = 0;

  add(task: T): void {
    const lanes = this.#clients.get(task.client) ?? new Map<string | null, T[]>();
    this.#clients.set(task.client, lanes);
    const lane = lanes.get(task.model);
    if (lane === undefined) lanes.set(task.model, [task]);
    else lane.push(task);
  }

  remove(task: Waiting): void {
    const lanes = this.#clients.get(task.client);
    const lane = lanes?.get(task.model);
    const index = lane?.findIndex(({ id }) => id === task.id) ?? -1;
    if (lanes === undefined || lane === undefined || index < 0) return;
    lane.splice(index, 1);
    if (lane.length === 0) lanes.delete(task.model);
    if (lanes.size === 0) this.#clients.delete(task.client);
  }

  /** Takes the next task whose model `mayStart`. */
  take(mayStart: (model: string | null) => boolean): T | undefined {
    for (const [client, lanes] of this.#byTurn()) {
      const heads = [...lanes.values()].flatMap((lane) => lane.slice(0, 1)).sort((a, b) => a.row - b.row);
      const task = heads.find(({ model }) => mayStart(model));
      if (task === undefined) continue;
      this.remove(task);
      this.#lastTurn.set(client, ++this.#turns);
      return task;
    }
    return undefined;
  }

  #byTurn(): [string, Map<string | null, T[]>][] {
    const lastTurn = (client: string) => this.#lastTurn.get(client) ?? 0;
    return [...this.#clients].sort(([a], [b]) => lastTurn(a) - lastTurn(b));
  }
}
