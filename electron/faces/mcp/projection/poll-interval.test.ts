import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTerminal, taskStatuses } from "../../../../shared/lifecycle";
import { pollInterval } from "./poll-interval";
import { viewIn } from "./test-view";

describe("the poll interval", () => {
  it("lies between 500 and 2000 ms in whole milliseconds while anything can change, and is absent afterwards", () => {
    const count = fc.nat(10_000);
    const progress = fc.record(
      {
        position: fc.integer({ min: 1, max: 1_000 }),
        reading: fc.record({ read: count, total: count }),
        step: fc.record({ done: count, total: count, note: fc.constant("") }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...taskStatuses), progress, fc.nat(10_000_000), (status, known, now) => {
        const interval = pollInterval(viewIn(status, { progress: known, now: 1_794_200_100_999 + now }));
        if (isTerminal(status) || status === "cancelling") return interval === undefined;
        return interval !== undefined && Number.isInteger(interval) && interval >= 500 && interval <= 2_000;
      }),
    );
  });

  it("shrinks as the job comes to its end", () => {
    const withDone = (done: number) => {
      const view = viewIn("running", { progress: { step: { done, total: 10, note: "" } } });
      return pollInterval({ ...view, now: view.task.updatedAt + done * 1_000 });
    };
    expect([withDone(2), withDone(6), withDone(9)]).toEqual([1_600, 800, 500]);
  });

  it("is longest far back in the queue", () => {
    const at = (position: number) => pollInterval(viewIn("queued", { progress: { position } }));
    expect([at(1), at(3), at(50)]).toEqual([500, 1_200, 2_000]);
  });
});
