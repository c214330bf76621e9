import { randomInt } from "node:crypto";
import type { WritingOptions } from "../../../shared/message";

/** What a request that says nothing gets: varied, yet close to what the model finds likely. */
const defaultTemperature = 0.7;
const defaultTopP = 0.95;
/** llama.cpp takes the greatest 32-bit seed as "any"; every other one is itself. */
const seeds = 0xffff_ffff;

export interface Sampling {
  readonly isGreedy: boolean;
  /** How llama.cpp picks the token at this place of the text, from 0. */
  at(position: number): SamplerOptions;
}

interface SamplerOptions {
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  readonly seed: number;
}

/**
 * All that the library would do unasked is off: no repeat penalty, no top-k, no min-p; temperature 0 is plain greedy.
 * Each token is drawn with a seed of its own that follows from the request's and the token's place, so that a run which
 * goes on after an interruption draws what it would have drawn.
 */
export function samplingOf({ temperature = defaultTemperature, topP = defaultTopP, seed }: WritingOptions): Sampling {
  const base = seed === undefined ? randomInt(seeds) : remainder(seed);
  const common = { temperature, topP, topK: 0, minP: 0 };
  return { isGreedy: temperature <= 0, at: (position) => ({ ...common, seed: mixed(base, position) }) };
}

function remainder(seed: number): number {
  return ((Math.trunc(seed) % seeds) + seeds) % seeds;
}

/** Neighbours in either number have nothing to do with each other. The finalizer is MurmurHash3's. */
function mixed(seed: number, position: number): number {
  let hash = seed ^ Math.imul(position + 1, 0x9e37_79b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return remainder((hash ^ (hash >>> 16)) >>> 0);
}
