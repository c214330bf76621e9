import { ProblemError } from "../../shared/problem";

/** How many tasks wait in `queued`, of each client and in all. The ledger keeps it in step with what it commits. */
export class WaitingTasks {
  readonly #clients = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  change(client: string, by: 1 | -1): void {
    this.#total += by;
    const count = (this.#clients.get(client) ?? 0) + by;
    if (count === 0) this.#clients.delete(client);
    else this.#clients.set(client, count);
  }

  clear(): void {
    this.#clients.clear();
    this.#total = 0;
  }

  /** The reason to refuse one more task of this client, if there is one. */
  refusal(client: string, limits: { readonly client: number; readonly total: number }): ProblemError | undefined {
    const own = this.#clients.get(client) ?? 0;
    if (own >= limits.client) return queueFull(`${own} of your tasks wait already`);
    if (this.#total >= limits.total) return queueFull(`${this.#total} tasks wait already`);
    return undefined;
  }
}

function queueFull(what: string): ProblemError {
  return new ProblemError("queue_full", `${what}, which is the limit; try again when some have started.`, {
    retryAfter: 1,
  });
}
