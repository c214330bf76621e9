import { describe, expect, it } from "vitest";
import { answerOf, inputRequestOf } from "./questions";
import { openQuestion } from "./test-view";

describe("a question", () => {
  it("is a form, a text that is wanted, or the folders of its client", () => {
    const request = { messages: [], maxTokens: 7 };
    expect(inputRequestOf(openQuestion.body)).toEqual({
      method: "elicitation/create",
      params: { mode: "form", message: "Which model?", requestedSchema: expect.objectContaining({ type: "object" }) },
    });
    expect(inputRequestOf({ type: "sampling", request })).toEqual({
      method: "sampling/createMessage",
      params: request,
    });
    expect(inputRequestOf({ type: "roots" })).toEqual({ method: "roots/list" });
  });
});

describe("an answer", () => {
  const message = { role: "assistant", model: "m", content: { type: "text", text: "Paris" } };

  it.each([
    ["form", { action: "accept", content: { name: "Ada" } }, { action: "accept", content: { name: "Ada" } }],
    ["form", { action: "accept" }, { action: "accept", content: {} }],
    ["form", { action: "decline", content: { name: "Ada" } }, { action: "decline" }],
    ["form", { action: "cancel" }, { action: "cancel" }],
    ["sampling", message, { action: "accept", content: message }],
    ["roots", { roots: [] }, { action: "accept", content: { roots: [] } }],
  ] as const)("to %s: %j", (type, response, answer) => {
    expect(answerOf(type, response)).toEqual(answer);
  });

  it.each([
    ["form", { action: "perhaps" }],
    ["form", message],
    ["sampling", { action: "accept", content: {} }],
    ["sampling", null],
    ["roots", { roots: "all" }],
    ["roots", undefined],
  ] as const)("to %s cannot be %j", (type, response) => {
    expect(() => answerOf(type, response)).toThrow("invalid_request: response: must be ");
  });
});
