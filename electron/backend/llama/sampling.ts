import { randomInt } from "node:crypto";
import type { WritingOptions } from "../../../shared/message";

/** What a request that says nothing gets: varied, yet close to what the model finds likely. */
const defaultTemperature = 0.7;
const defaultTopP = 0.95;
/** llama.cpp takes the greatest 32-bit seed as "any"; every other one is itself. */
const seeds = 0xffff_ffff;

/**
 * How llama.cpp picks the next token. All that the library would do unasked is off: no repeat penalty, no top-k, no
 * min-p; temperature 0 is plain greedy.
 */
export function samplingOf({ temperature = defaultTemperature, topP = defaultTopP, seed }: WritingOptions) {
  return { temperature, topP, topK: 0, minP: 0, seed: seed === undefined ? randomInt(seeds) : remainder(seed) };
}

function remainder(seed: number): number {
  return ((Math.trunc(seed) % seeds) + seeds) % seeds;
}
