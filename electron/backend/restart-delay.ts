const seconds = [1, 2, 4, 8, 30];

/** How long to wait before the next start: longer with each crash in a row, from the moment of the crash. */
export class RestartDelay {
  #crashes = 0;

  /** A process crashed; returns the milliseconds until another may start. */
  crashed(): number {
    const delay = seconds[Math.min(this.#crashes, seconds.length - 1)] ?? 0;
    this.#crashes += 1;
    return delay * 1_000;
  }

  /** A generation came to its end, so the process is sound. */
  recovered(): void {
    this.#crashes = 0;
  }
}
