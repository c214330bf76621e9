import { expect, test } from "vitest";
import { answerIn } from "./notes";

test("who answered is told as people say it", () => {
  expect(answerIn("answered by desktop")).toBe("You answered");
  expect(answerIn("declined by VS Code")).toBe("VS Code declined");
  expect(answerIn("dismissed by a by b")).toBe("a by b dismissed");
});

test("other reasons are no answers", () => {
  expect([null, "service restarted", "answered by "].map(answerIn)).toEqual([null, null, null]);
});
