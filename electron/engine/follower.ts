import type { TaskEvent } from "../../shared/event";

/** How many live events wait in memory for one slow reader before it is served from the store instead. */
const liveLimit = 256;

/** A task's stream as it is stored. */
export interface EventStream {
  /** Some of the events after this one, in order; none when there are none yet, or no longer. */
  read(after: number): readonly TaskEvent[];
  /** Nothing will be added to it. */
  isOver(): boolean;
}

/**
 * One reader of one task's stream. It reads history from the store and takes live events from a short queue; an event
 * is delivered once and in order because the queue is used only where it continues the cursor exactly.
 * States: reading (batches come from `next`), waiting (for news), closed.
 */
export class Follower {
  readonly #stream: EventStream;
  #cursor: number;
  #live: TaskEvent[] = [];
  #news: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(after: number, stream: EventStream) {
    this.#cursor = after;
    this.#stream = stream;
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

  /** The next events, or undefined once closed or when there will be no more. Never an empty batch. */
  async next(): Promise<readonly TaskEvent[] | undefined> {
    for (;;) {
      if (this.#closed) return undefined;
      const batch = this.#take();
      const last = batch.at(-1);
      if (last !== undefined) {
        this.#cursor = last.seq;
        return batch;
      }
      if (this.#stream.isOver()) return undefined;
      this.#news = withResolvers();
      await this.#news.promise;
      this.#news = undefined;
    }
  }

  #take(): readonly TaskEvent[] {
    const fresh = this.#live.filter((event) => event.seq > this.#cursor);
    this.#live = [];
    if (fresh[0]?.seq === this.#cursor + 1) return fresh;
    return this.#stream.read(this.#cursor);
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
