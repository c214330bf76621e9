import type { ModelInfo } from "./backend";
import type { ModelSlots } from "./model-slots";

/** What a run does with the place that the scheduler gave it on a model. */
export interface Place {
  /** The model whose memory this place needs, if one must go first; told once. */
  takeEviction(): string | undefined;
  loaded(info: ModelInfo): void;
  /** Gives the place back to the others, until `acquire`. */
  release(): void;
  /** Waits its turn for a place on this model, which may bring another eviction. Rejects with `signal.reason`. */
  acquire(model: string | null, signal: AbortSignal): Promise<void>;
}

export interface PlaceParts {
  readonly slots: ModelSlots;
  /** Others may start now. */
  readonly freed: () => void;
  /** Waits for a turn; `start` comes with the model to evict. The result stops the wait. */
  readonly wait: (model: string | null, start: (evict: string | undefined) => void) => () => void;
}

/** States: held (from the start), free after `release`, held again when `acquire` resolves. */
export class HeldPlace implements Place {
  readonly #parts: PlaceParts;
  #model: string | null;
  #evict: string | undefined;
  #isHeld = true;

  constructor(parts: PlaceParts, model: string | null, evict: string | undefined) {
    this.#parts = parts;
    this.#model = model;
    this.#evict = evict;
  }

  takeEviction(): string | undefined {
    const evict = this.#evict;
    this.#evict = undefined;
    return evict;
  }

  loaded(info: ModelInfo): void {
    this.#parts.slots.loaded(info);
    this.#parts.freed();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#parts.slots.release(this.#model);
    this.#parts.freed();
  }

  async acquire(model: string | null, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.release();
    const turn = new AbortController();
    await new Promise<void>((resolve, reject) => {
      const stop = this.#parts.wait(model, (evict) => {
        turn.abort();
        this.#model = model;
        this.#evict = evict;
        this.#isHeld = true;
        resolve();
      });
      const leave = () => {
        stop();
        reject(signal.reason);
      };
      // Its turn may have come at once.
      if (!turn.signal.aborted) signal.addEventListener("abort", leave, { once: true, signal: turn.signal });
    });
  }
}
