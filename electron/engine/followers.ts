import type { TaskEvent } from "../../shared/event";
import { type EventStream, Follower } from "./follower";

/** Who reads which task's stream right now. */
export class Followers {
  readonly #streamOf: (id: string) => EventStream;
  readonly #byTask = new Map<string, Set<Follower>>();

  constructor(streamOf: (id: string) => EventStream) {
    this.#streamOf = streamOf;
  }

  push(id: string, events: readonly TaskEvent[]): void {
    for (const follower of this.#byTask.get(id) ?? []) follower.push(events);
  }

  /** Ends the streams of a task that is gone. */
  close(id: string): void {
    for (const follower of this.#byTask.get(id) ?? []) follower.close();
  }

  /** See `Ledger.follow`. Subscribes before it reads, so that nothing falls between history and news. */
  async *follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<readonly TaskEvent[], void> {
    const follower = new Follower(after, this.#streamOf(id));
    const close = () => follower.close();
    this.#add(id, follower);
    signal.addEventListener("abort", close);
    if (signal.aborted) close();
    try {
      for (let batch = await follower.next(); batch !== undefined; batch = await follower.next()) {
        yield batch;
        if (batch.at(-1)?.body.type === "ended") return;
      }
    } finally {
      signal.removeEventListener("abort", close);
      this.#remove(id, follower);
    }
  }

  #add(id: string, follower: Follower): void {
    this.#byTask.set(id, (this.#byTask.get(id) ?? new Set()).add(follower));
  }

  #remove(id: string, follower: Follower): void {
    const followers = this.#byTask.get(id);
    followers?.delete(follower);
    if (followers?.size === 0) this.#byTask.delete(id);
  }
}
