import { describe, expect, it } from "vitest";
import { statusMessage } from "./status-message";
import { failedWith, openQuestion, viewIn, written } from "./test-view";

const running = (progress: object) => statusMessage(viewIn("running", { progress }));

describe("the status message", () => {
  it.each([
    [1, "next in the queue"],
    [3, "third in the queue"],
    [10, "tenth in the queue"],
    [11, "number 11 in the queue"],
    [undefined, "in the queue"],
  ])("of a waiting task tells its place: %s", (position, message) => {
    expect(statusMessage(viewIn("queued", { progress: position === undefined ? {} : { position } }))).toBe(message);
  });

  it.each([
    [{}, "working"],
    [{ reading: { read: 410, total: 1_000 } }, "reading the prompt 41 %"],
    [{ reading: { read: 1_000, total: 1_000 } }, "working"],
    [{ reading: { read: 9, total: 9 }, tokens: 1 }, "1 token"],
    [{ tokens: 212, tokensPerSecond: 31.4 }, "212 tokens, 31/s"],
    [{ tokens: 212, tokensPerSecond: 0 }, "212 tokens"],
    [{ step: { done: 2, total: 7, note: "" } }, "part 3 of 7"],
    [{ step: { done: 7, total: 7, note: "" } }, "part 7 of 7"],
    [{ step: { done: 0, total: 2, note: "" }, tokens: 5 }, "part 1 of 2, 5 tokens"],
    [{ step: { done: 2, total: 7, note: "Input 3 of 7" }, tokens: 5 }, "Input 3 of 7, 5 tokens"],
  ])("of a running task tells how far it is: %j", (progress, message) => {
    expect(running(progress)).toBe(message);
  });

  it("says who has to answer", () => {
    expect(statusMessage(viewIn("input_required"))).toBe("waiting for the person at this desktop");
    expect(statusMessage(viewIn("input_required", { asked: [openQuestion] }))).toBe("waiting for an answer");
  });

  it.each([
    ["The file simmer.gguf is cut short. Fetch it again.", "The file simmer.gguf is cut short."],
    ["No room for v2.1", "No room for v2.1"],
  ])("of a failed task is the first sentence of what is wrong", (detail, message) => {
    expect(statusMessage(failedWith("model_load_failed", detail))).toBe(message);
  });

  it("says why a task was cancelled, and that a text was cut short", () => {
    expect(statusMessage(viewIn("cancelled", { cancel: { at: 1, reason: "ttl expired" } }))).toBe("ttl expired");
    const result = { ...written("..."), finish: "max_output_tokens" } as const;
    const cut = viewIn("succeeded", { task: { outcome: { kind: "result", result } } });
    expect(statusMessage(cut)).toBe("done, cut short by the limit of output tokens");
  });
});
