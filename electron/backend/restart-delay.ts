import type { Clock } from "../engine/clock";

const seconds = [1, 2, 4, 8, 30];

/**
 * How long to wait before the next start: longer with each crash in a row, from the moment of the crash.
 * States: free -> (a crash) waiting -> (time, or `end`) free.
 */
export class RestartDelay {
  readonly #clock: Clock;
  #crashes = 0;
  #wait: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when another process may start; undefined when it may now. */
  get over(): Promise<void> | undefined {
    return this.#wait?.over;
  }

  crashed(): void {
    const delay = seconds[Math.min(this.#crashes, seconds.length - 1)] ?? 0;
    this.#crashes += 1;
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      const cancel = this.#clock.after(delay * 1_000, () => end());
      end = () => {
        cancel();
        this.#wait = undefined;
        resolve();
      };
    });
    this.#wait = { over, end };
  }

  /** A generation came to its end, so the process is sound. */
  recovered(): void {
    this.#crashes = 0;
  }

  /** Nobody waits any more. */
  end(): void {
    this.#wait?.end();
  }
}
