import type { Clock } from "./clock";

/** A clock for tests: time passes when they say so, and what is due runs in order. */
export class TestClock implements Clock {
  #now = 1_000_000;
  #due: { readonly at: number; readonly work: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, work: () => void): () => void {
    const entry = { at: this.#now + milliseconds, work };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  }

  advance(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (;;) {
      const [next] = this.#due.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due = this.#due.filter((entry) => entry !== next);
      this.#now = Math.max(this.#now, next.at);
      next.work();
    }
    this.#now = until;
  }
}
