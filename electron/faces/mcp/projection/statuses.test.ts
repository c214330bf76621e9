import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moves, type TaskStatus, taskStatuses } from "../../../../shared/lifecycle";
import { type ProblemCode, problems } from "../../../../shared/problem";
import { legacyStatus, modernStatus, type SeenStatus } from "./statuses";
import { failedWith, openQuestion, viewIn } from "./test-view";

const codes = Object.keys(problems) as ProblemCode[];

describe("the status that MCP shows", () => {
  it("follows the table of the life cycle", () => {
    expect(Object.fromEntries(taskStatuses.map((status) => [status, legacyStatus(viewIn(status))]))).toEqual({
      queued: "working",
      loading: "working",
      running: "working",
      input_required: "working",
      cancelling: "cancelled",
      succeeded: "completed",
      failed: "failed",
      cancelled: "cancelled",
    });
  });

  it("asks for input only of a caller that can answer", () => {
    const asked = viewIn("input_required", { asked: [openQuestion] });
    expect([legacyStatus(asked), modernStatus(asked)]).toEqual(["input_required", "input_required"]);
    expect(modernStatus(viewIn("input_required"))).toBe("working");
  });

  it.each(codes)("of a task that failed with %s is an answer in 2026-07-28, unless Simmer is at fault", (code) => {
    const view = failedWith(code);
    expect(legacyStatus(view)).toBe("failed");
    expect(modernStatus(view)).toBe(["internal", "queue_full", "rate_limited"].includes(code) ? "failed" : "completed");
  });

  it("never leaves a terminal status, whatever moves the task makes", () => {
    const walk = fc.array(fc.nat(), { maxLength: 12 }).map((choices) => {
      const path: TaskStatus[] = ["queued"];
      for (const choice of choices) {
        const next = moves[path.at(-1) ?? "queued"];
        const to = next[choice % Math.max(1, next.length)];
        if (to !== undefined) path.push(to);
      }
      return path;
    });
    fc.assert(
      fc.property(walk, fc.boolean(), (path, answers) => {
        for (const seen of [legacyStatus, modernStatus]) {
          const shown = path.map((status) => seen(viewIn(status, { asked: answers ? [openQuestion] : [] })));
          const end = shown.findIndex(isTerminal);
          if (end >= 0) expect(new Set(shown.slice(end)).size).toBe(1);
        }
      }),
    );
  });
});

function isTerminal(status: SeenStatus): boolean {
  return status !== "working" && status !== "input_required";
}
