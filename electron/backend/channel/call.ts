import type { GenerationStep } from "../../engine/backend";

export interface CallHooks {
  /** Tells the other side to stop. */
  readonly stop: () => void;
  /** The other side has stopped, or is gone. */
  readonly settled: () => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * The host's side of one call. States: open -> (its caller aborts or leaves) stopping -> settled, or open -> settled.
 * The caller hears nothing while it is stopping: it is told once the other side has stopped.
 */
export class Call {
  readonly #hooks: CallHooks;
  readonly #signal: AbortSignal | undefined;
  readonly #leave = () => this.stop();
  #steps: GenerationStep[] = [];
  #stopping = false;
  #outcome: Outcome | undefined;
  #wake: () => void = () => undefined;

  constructor(hooks: CallHooks, signal?: AbortSignal) {
    this.#hooks = hooks;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#leave, { once: true });
  }

  receive(steps: readonly GenerationStep[]): void {
    if (this.#stopping) return;
    this.#steps.push(...steps);
    this.#wake();
  }

  settle(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#signal?.removeEventListener("abort", this.#leave);
    this.#hooks.settled();
    this.#wake();
  }

  stop(): void {
    if (this.#stopping || this.#outcome !== undefined) return;
    this.#stopping = true;
    this.#steps = [];
    this.#hooks.stop();
  }

  /** The next steps, or undefined when there are no more. */
  async next(): Promise<readonly GenerationStep[] | undefined> {
    while (this.#steps.length === 0 && this.#outcome === undefined) await this.#news();
    const steps = this.#steps;
    if (steps.length === 0) {
      await this.value();
      return undefined;
    }
    this.#steps = [];
    return steps;
  }

  /** The answer. Throws its error, or `signal.reason` when the caller had aborted. */
  async value(): Promise<unknown> {
    while (this.#outcome === undefined) await this.#news();
    if (this.#stopping) this.#signal?.throwIfAborted();
    if ("error" in this.#outcome) throw this.#outcome.error;
    return this.#outcome.value;
  }

  /** Makes sure that the other side has stopped, however it ended. */
  async stopped(): Promise<void> {
    this.stop();
    while (this.#outcome === undefined) await this.#news();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
