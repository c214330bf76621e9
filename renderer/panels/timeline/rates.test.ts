import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestSecond, curveOf, pathOf, ratesOf, tokensAt } from "./rates";

const evenly = (every: number, tokens: number, to: number) =>
  Array.from({ length: Math.floor(to / every) }, (_, index) => ({ at: (index + 1) * every, attempt: 1, tokens }));

describe("rates", () => {
  it("are the tokens of a second, whatever comes in one sample", () => {
    for (const [every, tokens] of [
      [50, 1],
      [500, 10],
      [2_000, 40],
    ] as const) {
      const curve = curveOf(evenly(every, tokens, 20_000), 0, 20_000);
      for (const rate of ratesOf(curve, { from: 0, to: 20_000, isLive: false }, 300)) expect(rate).toBeCloseTo(20, 0);
      expect(bestSecond(curve, 0, 20_000)).toBeCloseTo(20, 0);
    }
  });

  it("add up to the tokens that came", () => {
    const sample = fc.record({ at: fc.nat(10_000), attempt: fc.constant(1), tokens: fc.nat(100) });
    fc.assert(
      fc.property(fc.array(sample), (samples) => {
        const sorted = samples.toSorted((a, b) => a.at - b.at);
        const total = samples.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(tokensAt(curveOf(sorted, 0, 10_000), 10_000)).toBe(total);
      }),
    );
  });

  it("have a flat top when there are too few samples to tell", () => {
    const [left, right, ...others] = ratesOf(
      curveOf(evenly(900, 3, 2_000), 0, 2_000),
      { from: 0, to: 2_000, isLive: false },
      300,
    );
    expect([left, right, others]).toEqual([3, 3, []]);
  });

  it("fall to nothing where nothing came", () => {
    const curve = curveOf(evenly(100, 2, 5_000), 0, 10_000);
    const rates = ratesOf(curve, { from: 0, to: 10_000, isLive: false }, 300);
    expect(rates.at(-1)).toBe(0);
    expect(rates[50]).toBeLessThan(20);
    expect(rates[20]).toBeCloseTo(20, 0);
  });

  it("do not fall while the next token is on its way, only when none comes for long", () => {
    const lastRate = (to: number) => {
      const curve = curveOf(evenly(100, 2, 5_000), 0, to);
      return ratesOf(curve, { from: 0, to, isLive: true }, 300).at(-1);
    };
    expect(lastRate(5_400)).toBeCloseTo(20, 0);
    expect(lastRate(9_000)).toBe(0);
  });

  it("stay inside their box", () => {
    expect(pathOf([0, 5, 20], 10)).toEqual({ line: "M0 100L50 50L100 0", area: "M0 100L50 50L100 0L100 100L0 100Z" });
    expect(pathOf([0, 0], 0).line).toBe("M0 100L100 100");
  });
});
