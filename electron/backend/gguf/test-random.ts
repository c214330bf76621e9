/** Chances that a seed repeats. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
}

/** The same numbers for the same seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from");
      return item;
    },
    chance: (probability) => next() < probability,
  };
}
