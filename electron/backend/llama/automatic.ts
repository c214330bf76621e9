import { availableParallelism } from "node:os";

/** Below this, a token costs less than llama.cpp's threads spend on waiting for each other. */
const tinyModelBytes = 100_000_000;
const mostContext = 8_192;
const mostParallel = 4;

/** One core stays free for the host; a tiny model is fastest on one thread. */
export function chooseThreads(modelBytes: number, cores = availableParallelism()): number {
  return modelBytes < tinyModelBytes ? 1 : Math.max(1, cores - 1);
}

/** Tokens that one task may use; a model is never driven beyond what it was trained for. */
export function chooseContext(wanted: number | null, trained: number): number {
  return Math.min(wanted ?? mostContext, trained);
}

/**
 * How many tasks run at once. Each needs its own share of the context's memory: so many are taken as fit into half of
 * what is free, at least one.
 */
export function chooseParallel(wanted: number | null, bytesPerTask: number, freeBytes: number): number {
  if (wanted !== null) return wanted;
  const fitting = Math.floor(freeBytes / 2 / Math.max(1, bytesPerTask));
  return Math.max(1, Math.min(mostParallel, fitting));
}
