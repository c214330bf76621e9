/** Where the questions of one run wait until all of them are answered. */
export class WaitingRoom {
  readonly #isOpen: () => boolean;
  readonly #onAnswer = new Set<() => void>();

  /** `isOpen`: some question of the task has no answer yet. */
  constructor(isOpen: () => boolean) {
    this.#isOpen = isOpen;
  }

  /** An answer was committed. */
  answered(): void {
    if (this.#isOpen()) return;
    for (const goOn of this.#onAnswer) goOn();
  }

  /** Resolves when no question is open; rejects with `signal.reason`. */
  async untilAnswered(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isOpen()) return;
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#onAnswer.delete(goOn);
        reject(signal.reason);
      };
      const goOn = () => {
        this.#onAnswer.delete(goOn);
        signal.removeEventListener("abort", leave);
        resolve();
      };
      this.#onAnswer.add(goOn);
      signal.addEventListener("abort", leave, { once: true });
    });
  }
}
