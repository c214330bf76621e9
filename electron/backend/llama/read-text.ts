import type { Token } from "node-llama-cpp";
import type { Place, SequencePool } from "./sequence-pool";

export interface TextToRead {
  readonly prompt: readonly number[];
  /** Ids of the text so far. */
  readonly before: readonly number[];
  /** How many of both the place holds already. */
  readonly held: number;
}

/**
 * Reads a prompt and the text that followed it, the way they were computed at first, so that what comes next is the same
 * too: the prompt in chunks, then token by token. What the first step needs is left: the last chunk of the prompt, or
 * the last token. Yields how many tokens each step has read.
 */
export async function* readText(
  pool: SequencePool,
  place: Place,
  { prompt, before, held }: TextToRead,
  signal: AbortSignal,
): AsyncGenerator<number> {
  yield* pool.read(place, prompt, signal);
  if (before.length === 0) return;
  const { sequence } = place;
  const rest = prompt.slice(Math.max(held, place.read.length));
  if (rest.length > 0) {
    await sequence.evaluateWithoutGeneratingNewTokens(rest as Token[]);
    yield rest.length;
  }
  for (const token of before.slice(Math.max(0, held - prompt.length), -1)) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens([token as Token]);
    yield 1;
  }
}
