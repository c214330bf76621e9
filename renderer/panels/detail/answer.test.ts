import { expect, test } from "vitest";
import { answerOf } from "./answer";

const message = (id: string, text: string) => ({ id, type: "message", text }) as const;

test("what is taken away is the text without the thinking", () => {
  const thought = { id: "r", type: "reasoning", text: "Hm." } as const;
  expect(answerOf({ output: [thought, message("a", "One."), message("b", "Two.")], data: null })).toBe("One.\n\nTwo.");
});

test("a structured result stands in for a text, never beside one", () => {
  const data = { action: "accept" };
  expect(answerOf({ output: [], data })).toBe('{\n  "action": "accept"\n}');
  expect(answerOf({ output: [message("a", "One.")], data })).toBe("One.");
  expect(answerOf({ output: [], data: null })).toBe("");
});
