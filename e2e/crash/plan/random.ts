import { createHash } from "node:crypto";

/** Randomness as a function of a text: who knows the seed can plan the same faults again. */
export class Random {
  readonly #seed: string;
  #drawn = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Draws of its own, which the draws here do not shift. */
  apart(name: string): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  /** From 0 up to, but not, 1. */
  fraction(): number {
    const digest = createHash("sha256")
      .update(`${this.#seed} ${this.#drawn++}`)
      .digest();
    return digest.readUIntBE(0, 6) / 2 ** 48;
  }

  /** A whole number; both ends are possible. */
  between(lowest: number, highest: number): number {
    return lowest + Math.floor(this.fraction() * (highest - lowest + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new Error("There is nothing to pick from");
    return item;
  }
}
