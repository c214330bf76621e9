import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rangeFor } from "./range";

describe("the range of the axis", () => {
  it("holds still until the task nearly fills it, then grows by one class of steps", () => {
    const ranges: number[] = [];
    let range: number | null = null;
    for (let elapsed = 0; elapsed <= 600_000; elapsed += 250) {
      const next = rangeFor(range, elapsed, 680);
      if (next !== range) ranges.push(next);
      range = next;
    }
    // Ten minutes of watching: a handful of changes, each by a good deal.
    expect(ranges.length).toBeLessThan(14);
    for (const [index, one] of ranges.entries())
      if (index > 0) expect(one / (ranges[index - 1] ?? 1)).toBeGreaterThan(1.15);
  });

  it("always leaves air after now", () => {
    fc.assert(
      fc.property(
        fc.nat(200_000_000),
        fc.integer({ min: 150, max: 2_000 }),
        fc.option(fc.integer({ min: 5_000, max: 100_000_000 })),
        (elapsed, width, before) => {
          const range = rangeFor(before, elapsed, width);
          expect(elapsed).toBeLessThanOrEqual(range * 0.92);
          expect(rangeFor(range, elapsed, width)).toBe(range);
        },
      ),
    );
  });

  it("begins at the second tick after now", () => {
    expect(rangeFor(null, 0, 680)).toBe(5_000);
    expect(rangeFor(null, 31_000, 680)).toBe(40_000);
  });
});
