import { describe, expect, it } from "vitest";
import type { FreeMemory } from "./free-memory";
import { type Needs, planMemory } from "./memory-plan";

const gigabyte = 1e9;
/** A gigabyte of weights, and a context that takes a megabyte per token. */
const needs: Needs = {
  file: "big.gguf",
  trained: 131_072,
  weights: gigabyte,
  areMapped: true,
  context: async (tokens, parallel) => ({ ram: tokens * parallel * 1e6, vram: 0 }),
};
const free = (ram: number, more: Partial<FreeMemory> = {}): FreeMemory => {
  return { ram: ram * gigabyte, addressSpace: Number.POSITIVE_INFINITY, vram: 0, isUnified: false, ...more };
};
const nothing = { contextLength: null, parallel: null };

describe("what is left to choose", () => {
  it("is as much as is of use when there is plenty", async () => {
    expect(await planMemory(nothing, needs, free(100))).toEqual({ contextLength: 8_192, parallel: 4 });
  });

  it("shrinks to what fits beside the weights", async () => {
    expect(await planMemory(nothing, needs, free(5))).toEqual({ contextLength: 3_840, parallel: 1 });
  });

  it("leaves room for the tasks that were asked for", async () => {
    const plan = await planMemory({ contextLength: null, parallel: 4 }, needs, free(5));
    expect(plan).toEqual({ contextLength: 768, parallel: 4 });
  });

  it("takes from mapped weights only when nothing of use would fit beside them", async () => {
    expect(await planMemory(nothing, needs, free(1.2))).toEqual({ contextLength: 512, parallel: 1 });
    await expect(planMemory(nothing, { ...needs, areMapped: false }, free(1.2))).rejects.toThrow(/No context of use/);
  });
});

// B50
describe("a context that was asked for", () => {
  it("is kept, also where the weights then have to give way", async () => {
    const wish = { contextLength: 4_096, parallel: 1 };
    expect(await planMemory(wish, needs, free(4.7))).toEqual(wish);
  });

  it("is refused with the numbers when it does not fit", async () => {
    await expect(planMemory({ contextLength: 65_536, parallel: 2 }, needs, free(8))).rejects.toMatchObject({
      problem: {
        code: "model_load_failed",
        detail:
          "big.gguf cannot be loaded: its weights have 1.0 GB, and a context of 65536 tokens for each of 2 tasks needs 131.1 GB of memory; 8.0 GB are free. The largest context that would fit has 3584 tokens: set a smaller context.",
      },
    });
  });

  it("is refused when the weights alone are more than twice what is free", async () => {
    const wish = { contextLength: 512, parallel: 1 };
    await expect(planMemory(wish, needs, free(0.9))).rejects.toThrow(
      /weights have 1\.0 GB.* No context of use would fit/,
    );
  });

  it("must fit into the address space together with the weights", async () => {
    const wish = { contextLength: 4_096, parallel: 1 };
    await expect(planMemory(wish, needs, free(100, { addressSpace: 4 * gigabyte }))).rejects.toThrow(
      /4\.0 GB are free/,
    );
  });

  it("must fit into the GPU's memory with its share", async () => {
    const shared: Needs = { ...needs, context: async (tokens) => ({ ram: tokens, vram: tokens * 1e6 }) };
    const wish = { contextLength: 4_096, parallel: 1 };
    expect(await planMemory(wish, shared, free(8, { vram: 5 * gigabyte }))).toEqual(wish);
    await expect(planMemory(wish, shared, free(8, { vram: 3 * gigabyte }))).rejects.toThrow(
      /needs 1 MB of memory and 4\.1 GB of the GPU's; 8\.0 GB and 3\.0 GB are free\. .* has 2816 tokens/,
    );
    const unified = { vram: 5 * gigabyte, isUnified: true };
    await expect(planMemory(wish, shared, free(4, unified))).rejects.toThrow(/cannot be loaded/);
  });
});
