/** Lets callers through as often as it was opened; the others wait in line. */
export class Gate {
  #passes: number;
  readonly #line: (() => void)[] = [];

  constructor(passes = 0) {
    this.#passes = passes;
  }

  open(passes: number): void {
    this.#passes += passes;
    while (this.#passes > 0 && this.#line.length > 0) {
      this.#passes -= 1;
      this.#line.shift()?.();
    }
  }

  /** Resolves when it is this caller's turn; throws `signal.reason`. */
  pass(signal: AbortSignal): Promise<void> {
    return waitFor((done) => {
      if (this.#passes > 0) {
        this.#passes -= 1;
        done();
        return () => undefined;
      }
      this.#line.push(done);
      return () => this.#line.splice(this.#line.indexOf(done), 1);
    }, signal);
  }
}

/** Waits until `begin` calls back, or throws `signal.reason` and undoes the wait. */
export function waitFor(begin: (done: () => void) => () => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let undo: () => void = () => undefined;
    const abort = () => {
      undo();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    undo = begin(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
  });
}
