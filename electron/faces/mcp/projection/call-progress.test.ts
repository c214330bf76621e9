import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskStatuses } from "../../../../shared/lifecycle";
import { CallProgress } from "./call-progress";
import { viewIn } from "./test-view";

describe("the progress of a call", () => {
  it("grows with every note and never passes its total, whatever the job counts", () => {
    const count = fc.nat(20);
    const news = fc.record({
      passed: fc.nat(100_000),
      status: fc.constantFrom(...taskStatuses),
      step: fc.option(fc.record({ done: count, total: count, note: fc.constant("") }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(news), (all) => {
        const progress = new CallProgress(0);
        let [now, last] = [0, -1];
        for (const { passed, status, step } of all) {
          now += passed;
          const note = progress.next(viewIn(status, { now, progress: step === undefined ? {} : { step } }));
          if (note === undefined) continue;
          expect(note.progress).toBeGreaterThan(last);
          if (note.total !== undefined) expect(note.total).toBeGreaterThanOrEqual(note.progress);
          last = note.progress;
        }
      }),
    );
  });

  it("has the parts that are done before the point", () => {
    const progress = new CallProgress(0);
    const at = (now: number, done: number) =>
      progress.next(viewIn("running", { now, progress: { step: { done, total: 7, note: "" } } }));
    expect(at(60_000, 0)).toEqual({ progress: 0.5, total: 7, message: "part 1 of 7" });
    expect(at(70_000, 2)).toEqual({ progress: 2, total: 7, message: "part 3 of 7" });
    expect(at(70_000, 2)).toBeUndefined();
  });
});
