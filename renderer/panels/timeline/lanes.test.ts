import { describe, expect, it } from "vitest";
import { durationOf } from "./durations";
import { labelOf } from "./label";
import { foldedOf, lanesOf } from "./lanes";
import { layoutOf, planOf } from "./layout";
import { hostRestarted, type Moments } from "./phases";
import { sentenceOf, sumsOf } from "./sums";
import { momentsOf } from "./test-moments";
import { textWidth } from "./text-width";

const restarted = momentsOf(
  [
    [0, "queued"],
    [4_000, "loading"],
    [16_000, "running"],
    [74_000, "queued", 2, hostRestarted],
    [75_000, "loading", 2],
    [85_000, "running", 2],
    [166_000, "succeeded", 2],
  ],
  [22_000, 40_000, 60_000, 90_000, 160_000],
);

function lanes(moments: Moments, width = 700) {
  const plan = planOf(moments, 0, width);
  const layout = layoutOf(plan, { width, range: 5_000, endRoom: 130, read: null, moments });
  return lanesOf(layout.segments, moments.changes, width);
}

describe("lanes", () => {
  it("are one for each attempt, joined by the cause and the gap", () => {
    const [first, second] = lanes(restarted);
    expect(first).toMatchObject({ attempt: 1, note: "interrupted", link: { text: "Simmer restarted, 14 s" } });
    expect(second).toMatchObject({ attempt: 2, note: "after restart", link: null });
    expect(first?.link?.to).toBe(second?.segments[0]?.x);
  });

  it("fold all but the last three of more than four attempts", () => {
    const attempts = Array.from(
      { length: 6 },
      (_, i) => [(i + 1) * 10_000, "running", i + 2, "inference process lost"] as const,
    );
    const all = lanes(momentsOf([[0, "queued"], [1, "loading"], [2, "running"], ...attempts], [5]));
    expect(all).toHaveLength(7);
    expect(foldedOf(all, false)).toMatchObject({ hidden: 4, shown: [{ attempt: 5 }, { attempt: 6 }, { attempt: 7 }] });
    expect(foldedOf(all, true)).toMatchObject({ hidden: 0, shown: all });
  });
});

describe("a label", () => {
  it("is never wider than its segment", () => {
    const [segment] = lanes(restarted)[0]?.segments ?? [];
    if (segment === undefined) throw new Error("there is a first segment");
    for (let width = 0; width < 200; width += 1) {
      const label = labelOf({ ...segment, width }, null);
      if (label !== null) expect(textWidth(label.name + (label.figure ?? "")) + 12).toBeLessThanOrEqual(width);
    }
    expect(labelOf({ ...segment, width: 200 }, null)).toEqual({ name: "Queued", figure: "4.0 s" });
  });
});

describe("the legend", () => {
  it("sums up each phase over all attempts", () => {
    const { phases } = planOf(restarted, 0, 700);
    expect(sumsOf(phases)).toEqual([
      { kind: "queued", length: 5_000 },
      { kind: "loading", length: 22_000 },
      { kind: "reading", length: 11_000 },
      { kind: "generating", length: 114_000 },
      { kind: "closed", length: 14_000 },
    ]);
    expect(sentenceOf({ phases, status: "Succeeded", total: 166_000, firstToken: 22_000 })).toBe(
      "Timeline: Succeeded, 2:46 in all; 2 attempts; Queued 5.0 s; Loading 22 s; Reading 11 s; Generating 1:54; Closed 14 s; First token 22 s",
    );
  });

  it("writes durations so that they can be read at a glance", () => {
    expect([0, 31, 4_260, 22_900, 96_000, 3_730_000].map(durationOf)).toEqual([
      "0 ms",
      "31 ms",
      "4.2 s",
      "22 s",
      "1:36",
      "1:02:10",
    ]);
  });
});
