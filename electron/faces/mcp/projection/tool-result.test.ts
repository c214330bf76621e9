import { describe, expect, it } from "vitest";
import { taskStatuses } from "../../../../shared/lifecycle";
import { ProblemError } from "../../../../shared/problem";
import type { JobResult } from "../../../../shared/task";
import { invalidParams } from "../errors";
import { failedWith, viewIn, written } from "./test-view";
import { dataResult, failedCall, resultOf, toolOutcome } from "./tool-result";

const outcomeOf = (result: JobResult, input = {}) =>
  toolOutcome(viewIn("succeeded", { task: { outcome: { kind: "result", result } } }).task, input);
const byFormat = (type: string) => ({ messages: [], options: { format: { type } } });

describe("the outcome of a tool call", () => {
  it("is there exactly when MCP shows the task as ended", () => {
    const ended = taskStatuses.filter((status) => toolOutcome(viewIn(status).task) !== undefined);
    expect(ended).toEqual(["cancelling", "succeeded", "failed", "cancelled"]);
  });

  it("has the messages as texts, without the thinking", () => {
    const thought = { id: "rs_1", type: "reasoning", text: "Hm." } as const;
    const { items, ...rest } = written("One.", "Two.");
    expect(outcomeOf({ ...rest, items: [thought, ...items] })).toEqual({
      kind: "result",
      result: {
        content: [
          { type: "text", text: "One." },
          { type: "text", text: "Two." },
        ],
      },
    });
  });

  it("has the job's data as structure, and as text when nothing was written", () => {
    const data = { items: [1, 2] };
    expect(outcomeOf({ ...written(), data })).toMatchObject({
      result: { content: [{ text: '{"items":[1,2]}' }], structuredContent: data },
    });
    expect(outcomeOf({ ...written("Two."), data })).toMatchObject({
      result: { content: [{ text: "Two." }], structuredContent: data },
    });
  });

  it("reads a text that was written by a schema", () => {
    const structured = (text: string, type = "json_schema") => {
      const outcome = outcomeOf(written(text), byFormat(type));
      return outcome?.kind === "result" ? outcome.result.structuredContent : outcome;
    };
    expect(structured('{"a":1}')).toEqual({ a: 1 });
    expect(structured('{"a":1}', "text")).toBeUndefined();
    // Cut short by a limit; not an object.
    expect(structured('{"a":')).toBeUndefined();
    expect(structured("[1]")).toBeUndefined();
  });

  it("of an expected failure is a result that says its code", () => {
    expect(toolOutcome(failedWith("model_load_failed", "The file is cut short.").task)).toEqual({
      kind: "result",
      result: {
        content: [{ type: "text", text: "model_load_failed: The file is cut short." }],
        structuredContent: { code: "model_load_failed" },
        isError: true,
      },
    });
  });

  it("of a bug is an error of the protocol", () => {
    const outcome = toolOutcome(failedWith("internal", "An unexpected error happened.").task);
    expect(outcome).toEqual({ kind: "error", error: { code: -32603, message: "An unexpected error happened." } });
  });

  it("of a cancelled task is an error, at once", () => {
    for (const status of ["cancelling", "cancelled"] as const) {
      const outcome = toolOutcome(viewIn(status).task);
      expect(outcome).toEqual({ kind: "error", error: { code: -32603, message: "Task was cancelled" } });
      if (outcome)
        expect(() => resultOf(outcome)).toThrow(
          expect.objectContaining({ code: -32603, message: "Task was cancelled" }),
        );
    }
  });

  it("has no structure that is not an object", () => {
    expect(dataResult([1])).toEqual({ content: [{ type: "text", text: "[1]" }] });
  });
});

describe("a call that came to no task", () => {
  it("is answered by a result when its caller can do something about it", () => {
    const missing = failedCall(new ProblemError("model_not_found", "There is no such model."));
    expect(missing).toMatchObject({ isError: true, structuredContent: { code: "model_not_found" } });
  });

  it.each([
    new ProblemError("queue_full", "Too many tasks wait."),
    new ProblemError("rate_limited", "Too many requests."),
    invalidParams("Unknown tool: x"),
    new Error("a bug"),
  ])("is an error otherwise: %s", (error) => {
    expect(() => failedCall(error)).toThrow(error);
  });
});
