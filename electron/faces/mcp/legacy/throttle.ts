import type { Clock } from "../../../engine/clock";

/** Runs `work` when asked, at most once in `interval` milliseconds; the last wish is never lost. */
export class Throttle {
  readonly #clock: Clock;
  readonly #interval: number;
  readonly #work: () => void;
  #last = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, interval: number, work: () => void) {
    this.#clock = clock;
    this.#interval = interval;
    this.#work = work;
  }

  /** Runs it now, or when the interval is over. */
  soon(): void {
    const wait = this.#last + this.#interval - this.#clock.now();
    if (wait <= 0) this.now();
    else this.#cancel ??= this.#clock.after(wait, () => this.now());
  }

  now(): void {
    this.close();
    this.#last = this.#clock.now();
    this.#work();
  }

  /** Forgets what it was asked. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
