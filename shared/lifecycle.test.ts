import { describe, expect, it } from "vitest";
import {
  cancelRules,
  canMove,
  isLegalChange,
  isTerminal,
  moves,
  recoveries,
  recoveryOf,
  restartPolicies,
  taskStatuses,
  unfinishedStatuses,
} from "./lifecycle";

describe("the life cycle", () => {
  it("has the moves of LMSP 7.2 between its seven statuses", () => {
    const lmsp = taskStatuses.filter((status) => status !== "input_required");
    const table = Object.fromEntries(lmsp.map((from) => [from, lmsp.filter((to) => canMove(from, to)).sort()]));
    expect(table).toEqual({
      queued: ["cancelled", "failed", "loading"],
      loading: ["cancelling", "failed", "running"],
      running: ["cancelling", "failed", "succeeded"],
      cancelling: ["cancelled"],
      succeeded: [],
      failed: [],
      cancelled: [],
    });
  });

  it("ends only in succeeded, failed and cancelled", () => {
    expect(taskStatuses.filter(isTerminal)).toEqual(["succeeded", "failed", "cancelled"]);
  });

  it("can be left from every unfinished status, and every status can be reached", () => {
    for (const status of unfinishedStatuses) expect(moves[status].length).toBeGreaterThan(0);
    const reached = new Set(Object.values(moves).flat());
    expect(taskStatuses.filter((status) => status !== "queued" && !reached.has(status))).toEqual([]);
  });

  it("cancels along legal moves, and refuses exactly what has ended otherwise", () => {
    for (const status of taskStatuses) {
      const rule = cancelRules[status];
      if (rule !== "done" && rule !== "refused") expect(canMove(status, rule)).toBe(true);
    }
    expect(taskStatuses.filter((status) => cancelRules[status] === "refused")).toEqual(["succeeded", "failed"]);
  });

  it("recovers every unfinished status under every policy, and no other", () => {
    for (const status of taskStatuses)
      for (const policy of restartPolicies) expect(recoveryOf(status, policy) === undefined).toBe(isTerminal(status));
    expect(Object.values(recoveries.cancelling)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(unfinishedStatuses.filter((status) => recoveryOf(status, "fail") !== "failed")).toEqual(["cancelling"]);
  });

  it("records nothing that leaves a terminal status", () => {
    for (const from of taskStatuses.filter(isTerminal))
      for (const to of taskStatuses) expect(isLegalChange(from, to)).toBe(false);
  });
});
