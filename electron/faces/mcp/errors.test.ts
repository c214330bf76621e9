import { describe, expect, it } from "vitest";
import { ProblemError } from "../../../shared/problem";
import { invalidParams, protocolError } from "./errors";

describe("an error of JSON-RPC", () => {
  it("says what could not be done, and why", () => {
    const error = protocolError(new ProblemError("task_not_found", "There is no task."), "retrieve task");
    expect(error).toMatchObject({ code: -32602, message: "Failed to retrieve task: Task not found" });
  });

  it.each(["queue_full", "rate_limited"] as const)("of %s says when to come back", (code) => {
    const error = protocolError(new ProblemError(code, "Too much.", { retryAfter: 3 }), "call tool");
    expect(error).toMatchObject({ code: -32603, data: { code, retryAfter: 3 } });
  });

  it("tells nothing of a bug", () => {
    const error = protocolError(new Error("secret"), "call tool");
    expect(error.code).toBe(-32603);
    expect(JSON.stringify([error.message, error.data])).not.toContain("secret");
  });

  it("of the protocol's own passes unchanged", () => {
    const error = invalidParams("Unknown tool: x");
    expect(protocolError(error, "call tool")).toBe(error);
  });
});
