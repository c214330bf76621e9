import { describe, expect, it } from "vitest";
import { layoutOf, planOf } from "./layout";
import { momentsOf } from "./test-moments";

function draw(moments: Parameters<typeof planOf>[0], now: number, width: number) {
  const plan = planOf(moments, now, width);
  const range = Math.max(5_000, plan.elapsed * 1.2);
  return layoutOf(plan, { width, range, endRoom: Math.min(130, width / 3), read: null, moments });
}

describe("a layout", () => {
  it("keeps three pixels for what took a moment, and takes them from the longest", () => {
    const moments = momentsOf(
      [
        [0, "queued"],
        [1, "loading"],
        [2, "running"],
        [43_200_000, "succeeded"],
      ],
      [3, 43_199_000],
    );
    const [queued, loading, reading, generating] = draw(moments, 0, 700).segments.map(({ width }) => width);
    expect([queued, loading, reading]).toEqual([3, 3, 3]);
    expect(generating).toBeCloseTo(700 - 130 - 9);
  });

  it("cuts a long wait, never long work", () => {
    const waits = momentsOf(
      [
        [0, "queued"],
        [2_468_000, "loading"],
        [2_479_000, "running"],
      ],
      [],
    );
    const [queued, loading] = draw(waits, 2_505_000, 1_000).segments;
    expect(queued).toMatchObject({ isCut: true, width: 180 });
    expect(loading?.width).toBeGreaterThan(150);
    const works = momentsOf(
      [
        [0, "queued"],
        [100, "loading"],
        [200, "running"],
        [9_000_000, "succeeded"],
      ],
      [9_000],
    );
    expect(draw(works, 0, 1_000).segments.some(({ isCut }) => isCut)).toBe(false);
  });

  it("does not cut what stands alone: a task that only waits", () => {
    const [queued] = draw(momentsOf([[0, "queued"]], []), 3_600_000, 1_000).segments;
    expect(queued).toMatchObject({ isCut: false });
    expect(queued?.width).toBeGreaterThan(700);
  });

  it("labels true time after a cut", () => {
    const moments = momentsOf(
      [
        [0, "queued"],
        [2_468_000, "loading"],
        [2_479_000, "running"],
      ],
      [],
    );
    const { ticks, segments } = draw(moments, 2_505_000, 1_000);
    const loading = segments[1];
    const after = ticks.filter(({ x }) => loading !== undefined && x >= loading.x);
    expect(after[0]?.offset).toBe(2_470_000);
    expect(after.every(({ offset }) => offset % 5_000 === 0)).toBe(true);
    expect(ticks.filter(({ x }) => x > 0 && x < (loading?.x ?? 0))).toEqual([]);
  });

  it("joins more tiny neighbours than can be told apart, and counts them", () => {
    const answers = Array.from({ length: 10 }, (_, index) => [
      [10_000 + index * 4, "input_required"] as const,
      [10_002 + index * 4, "running"] as const,
    ]).flat();
    const moments = momentsOf(
      [[0, "queued"], [5, "loading"], [10, "running"], ...answers, [90_000, "succeeded"]],
      [500],
    );
    const many = draw(moments, 0, 700).segments.find(({ phases }) => phases.length > 1);
    expect(many?.phases.length).toBeGreaterThanOrEqual(19);
    expect(many?.from).toBe(10_000);
  });

  it("draws a ramp only for what came to its end", () => {
    const done = momentsOf(
      [
        [0, "queued"],
        [10, "loading"],
        [2_000, "running"],
        [9_000, "succeeded"],
      ],
      [4_000, 8_000],
    );
    expect(draw(done, 0, 700).segments.map(({ area }) => area !== null)).toEqual([false, true, true, true]);
    const failed = momentsOf(
      [
        [0, "queued"],
        [10, "loading"],
        [2_000, "failed"],
      ],
      [],
    );
    expect(draw(failed, 0, 700).segments.map(({ area }) => area !== null)).toEqual([false, false]);
  });
});
