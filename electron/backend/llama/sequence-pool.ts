import type { LlamaContext, LlamaContextSequence, Token } from "node-llama-cpp";

/** A place for one generation in a context. */
export interface Place {
  readonly sequence: LlamaContextSequence;
  /** Prompt tokens that the sequence holds, read in whole chunks. */
  read: readonly number[];
}

/**
 * The places of one context. A place keeps what it has read of its last prompt, so that a conversation that goes on is
 * not read again. Only whole chunks count: they were read exactly as they would be read now, so what a model writes
 * does not depend on what ran before.
 */
export class SequencePool {
  readonly #context: LlamaContext;
  readonly #chunk: number;
  readonly #free: Place[] = [];
  readonly #waiting: ((place: Place) => void)[] = [];

  constructor(context: LlamaContext, chunk: number) {
    this.#context = context;
    this.#chunk = chunk;
    for (let count = context.totalSequences; count > 0; count--) this.#free.push(this.#newPlace());
  }

  /** How much of `length` tokens can be held in whole chunks, so that at least one is left to read. */
  wholeChunks(length: number): number {
    return Math.floor((length - 1) / this.#chunk) * this.#chunk;
  }

  get free(): number {
    return this.#free.length;
  }

  /** The free place that shares most with `prompt`, holding nothing but that; waits while all are taken. */
  async take(prompt: readonly number[], signal: AbortSignal): Promise<Place> {
    const place = this.#best(prompt) ?? (await this.#wait(signal));
    try {
      place.read = prompt.slice(0, this.#shared(place, prompt));
      const { sequence } = place;
      await sequence.eraseContextTokenRanges([{ start: place.read.length, end: sequence.nextTokenIndex }]);
    } catch (error) {
      await this.replace(place);
      throw error;
    }
    return place;
  }

  /** Reads `tokens` into the place, all but the last chunk; yields the size of each chunk. Stops between chunks. */
  async *read(place: Place, tokens: readonly number[], signal: AbortSignal): AsyncGenerator<number> {
    while (tokens.length - place.read.length > this.#chunk) {
      signal.throwIfAborted();
      const end = place.read.length + this.#chunk;
      await place.sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(place.read.length, end) as Token[]);
      place.read = tokens.slice(0, end);
      yield this.#chunk;
    }
  }

  give(place: Place): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(place);
    else next(place);
  }

  /** Gives back a place that is in an unknown state after an error. */
  async replace(place: Place): Promise<void> {
    await place.sequence.dispose();
    if (!this.#context.disposed) this.give(this.#newPlace());
  }

  #best(prompt: readonly number[]): Place | undefined {
    const ranked = this.#free
      .map((place) => ({ place, shared: this.#shared(place, prompt) }))
      .sort((a, b) => b.shared - a.shared || a.place.read.length - b.place.read.length);
    const best = ranked[0]?.place;
    if (best !== undefined) this.#free.splice(this.#free.indexOf(best), 1);
    return best;
  }

  #shared({ sequence, read }: Place, prompt: readonly number[]): number {
    // Recurrent and sliding-window states cannot be cut back.
    if (sequence.needsCheckpoints) return 0;
    const different = read.findIndex((token, index) => token !== prompt[index]);
    const same = different < 0 ? read.length : different;
    // At least one token must be left to read, or there is nothing to continue from.
    return Math.floor(Math.min(same, prompt.length - 1) / this.#chunk) * this.#chunk;
  }

  #wait(signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(accept), 1);
        reject(signal.reason);
      };
      const accept = (place: Place): void => {
        signal.removeEventListener("abort", stop);
        resolve(place);
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#waiting.push(accept);
    });
  }

  #newPlace(): Place {
    return { sequence: this.#context.getSequence(), read: [] };
  }
}
