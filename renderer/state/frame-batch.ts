/** Runs `flush` once, soon; the result says never mind. */
export type Scheduler = (flush: () => void) => () => void;

/** Gathers items and hands them on together, at most once per animation frame. */
export class FrameBatch<Item> {
  readonly #take: (items: readonly Item[]) => void;
  readonly #schedule: Scheduler;
  #items: Item[] = [];
  #cancel: (() => void) | null = null;

  constructor(take: (items: readonly Item[]) => void, schedule: Scheduler = nextFrame) {
    this.#take = take;
    this.#schedule = schedule;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#cancel ??= this.#schedule(() => this.#flush());
  }

  close(): void {
    this.#cancel?.();
    this.#items = [];
  }

  #flush(): void {
    const items = this.#items;
    this.#items = [];
    this.#cancel = null;
    this.#take(items);
  }
}

/** A hidden window paints no frames; it goes on by the clock, so that nothing piles up. */
const longestWait = 250;

function nextFrame(flush: () => void): () => void {
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    flush();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, longestWait);
  return cancel;
}
