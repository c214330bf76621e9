import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTerminal, moves, type TaskStatus } from "../../../shared/lifecycle";
import { layoutOf, planOf } from "./layout";
import { type Moments, phasesOf } from "./phases";
import { momentsOf, type Written } from "./test-moments";

const step = fc.record({
  choice: fc.nat(20),
  wait: fc.oneof(fc.nat(50), fc.nat(10_000), fc.nat(30_000_000)),
  isNewAttempt: fc.boolean(),
  tokens: fc.array(fc.nat(1_000), { maxLength: 5 }),
});

/** Any history that the engine may record, with tokens wherever it runs. */
const momentsArbitrary: fc.Arbitrary<Moments> = fc.array(step, { maxLength: 30 }).map((steps) => {
  const written: Written[] = [[0, "queued"]];
  const times: number[] = [];
  for (const { choice, wait, isNewAttempt, tokens } of steps) {
    const [at, status, attempt = 1] = written.at(-1) ?? [0, "queued" as TaskStatus];
    if (isTerminal(status)) break;
    if (status === "running")
      times.push(...tokens.map((part) => at + Math.floor((wait * part) / 1_000)).sort((a, b) => a - b));
    const next = moves[status][choice % moves[status].length] ?? "failed";
    if (isNewAttempt && status === "running") {
      const isInPlace = choice % 2 === 0;
      written.push([
        at + wait,
        isInPlace ? "running" : "queued",
        attempt + 1,
        isInPlace ? "inference process lost" : "service restarted",
      ]);
    } else written.push([at + wait, next, attempt]);
  }
  return momentsOf(written, times);
});

function draw(moments: Parameters<typeof planOf>[0], now: number, width: number) {
  const plan = planOf(moments, now, width);
  const range = Math.max(5_000, plan.elapsed * 1.2);
  return layoutOf(plan, { width, range, endRoom: Math.min(130, width / 3), read: null, moments });
}

/** The stored stretches: what lies between two changes, without the last one of an ended task. */
function storedStretches({ changes }: Moments, now: number) {
  return changes.flatMap(({ to, at, attempt }, index) => {
    const next = changes[index + 1];
    const isEnd = next === undefined && ["succeeded", "failed", "cancelled"].includes(to);
    return isEnd ? [] : [{ status: to, attempt, from: at, to: next?.at ?? Math.max(now, at) }];
  });
}

describe("a timeline of any history", () => {
  it("has phases that make up exactly the stored transitions, however they are split", () => {
    fc.assert(
      fc.property(momentsArbitrary, fc.nat(100_000), (moments, after) => {
        const now = (moments.changes.at(-1)?.at ?? 0) + after;
        const joined: { status: string; attempt: number; from: number; to: number }[] = [];
        for (const { status, attempt, from, to, kind } of phasesOf(moments, now)) {
          const before = joined.at(-1);
          // A split shows as a part that goes on where the one before it ended, in the same status and attempt.
          const isPart = before?.status === status && before.attempt === attempt && before.to === from;
          if (isPart && (kind === "generating" || kind === "closed")) before.to = to;
          else joined.push({ status, attempt, from, to });
        }
        expect(joined).toEqual(storedStretches(moments, now));
      }),
    );
  });

  it("shows every segment, in order, without a gap, inside the width", () => {
    fc.assert(
      fc.property(
        momentsArbitrary,
        fc.nat(50_000_000),
        fc.integer({ min: 300, max: 1_600 }),
        (moments, after, width) => {
          const now = (moments.changes.at(-1)?.at ?? 0) + after;
          const { segments } = draw(moments, now, width);
          let edge = 0;
          for (const segment of segments) {
            expect(segment.x).toBeCloseTo(edge, 3);
            expect(segment.width).toBeGreaterThanOrEqual(Math.min(3, width / segments.length) - 1e-6);
            edge = segment.x + segment.width;
          }
          expect(edge).toBeLessThanOrEqual(width + 1e-6);
          expect(segments.every(({ x, width: own }) => Number.isFinite(x) && Number.isFinite(own))).toBe(true);
        },
      ),
    );
  });

  it("keeps labels of the axis apart, and counts upwards", () => {
    fc.assert(
      fc.property(momentsArbitrary, fc.nat(50_000_000), (moments, after) => {
        const now = (moments.changes.at(-1)?.at ?? 0) + after;
        const ticks = draw(moments, now, 700).ticks;
        const places = ticks.filter(({ hasLabel }) => hasLabel).map(({ x, isAtEdge }) => (isAtEdge ? x - 50 : x));
        expect(ticks.length).toBeLessThan(60);
        for (const [index, x] of places.entries()) {
          if (index > 0) expect(x - (places[index - 1] ?? 0)).toBeGreaterThanOrEqual(50 - 1e-6);
        }
        const offsets = ticks.map(({ offset }) => offset);
        expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
      }),
    );
  });
});
