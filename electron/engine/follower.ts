import type { TaskEvent } from "../../shared/event";

/** How many live events wait in memory for one slow reader before it is served from the store instead. */
const liveLimit = 256;

/**
 * One reader of one task's stream. It reads history from the store and takes live events from a short queue; an event
 * is delivered once and in order because the queue is used only where it continues the cursor exactly.
 * States: reading (batches come from `next`), waiting (for news), closed.
 */
export class Follower {
  readonly #read: (after: number) => readonly TaskEvent[];
  #cursor: number;
  #live: TaskEvent[] = [];
  #news: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(after: number, read: (after: number) => readonly TaskEvent[]) {
    this.#cursor = after;
    this.#read = read;
  }

  /** Live events, in order. Cheap, and never waits for the reader. */
  push(events: readonly TaskEvent[]): void {
    if (this.#live.length + events.length > liveLimit) this.#live = [];
    else this.#live.push(...events);
    this.#news?.resolve();
  }

  close(): void {
    this.#closed = true;
    this.#news?.resolve();
  }

  /** The next events, or undefined once closed. Never an empty batch. */
  async next(): Promise<readonly TaskEvent[] | undefined> {
    for (;;) {
      if (this.#closed) return undefined;
      const batch = this.#take();
      const last = batch.at(-1);
      if (last !== undefined) {
        this.#cursor = last.seq;
        return batch;
      }
      this.#news = withResolvers();
      await this.#news.promise;
      this.#news = undefined;
    }
  }

  #take(): readonly TaskEvent[] {
    const fresh = this.#live.filter((event) => event.seq > this.#cursor);
    this.#live = [];
    if (fresh[0]?.seq === this.#cursor + 1) return fresh;
    return this.#read(this.#cursor);
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function withResolvers(): PromiseWithResolvers<void> {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
