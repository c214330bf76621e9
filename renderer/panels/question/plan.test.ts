import { expect, test } from "vitest";
import { question, row } from "../../state/test-messages";
import { planOf } from "./plan";

const asking = row("a", { status: "input_required" });
const answered = (by: string | null, at = 2_000) => ({ answered: { action: "accept", by, at } }) as const;
const none = new Set<string>();
const planIds = (...input: Parameters<typeof planOf>) => {
  const { open, waiting, closed } = planOf(...input);
  return [open?.id, waiting, closed?.id];
};

test("the oldest open question for the person is shown, and how many wait after it", () => {
  const questions = [question("old", "a", answered(null)), question("first", "a"), question("second", "a")];
  expect(planIds({ questions, row: asking }, none, none)).toEqual(["first", 1, undefined]);
});

test("one that the person may answer goes before one that waits for the caller", () => {
  const caller = question("caller", "a", { forPerson: false });
  expect(planIds({ questions: [caller, question("own", "a")], row: asking }, none, none)).toEqual([
    "own",
    0,
    undefined,
  ]);
  expect(planIds({ questions: [caller], row: asking }, none, none)).toEqual(["caller", 0, undefined]);
});

test("a question that was shown and is answered is told, once; an older one is not", () => {
  const questions = [question("old", "a", answered("agent")), question("shown", "a", answered("agent"))];
  const seen = new Set(["shown"]);
  expect(planIds({ questions, row: row("a") }, seen, none)).toEqual([undefined, 0, "shown"]);
  expect(planIds({ questions, row: row("a") }, seen, seen)).toEqual([undefined, 0, undefined]);
});

test("of two that closed the last is told, and the next question stands beside it", () => {
  const questions = [
    question("b", "a", answered("agent", 5)),
    question("c", "a", answered("agent", 4)),
    question("d", "a"),
  ];
  expect(planIds({ questions, row: asking }, new Set(["b", "c"]), none)).toEqual(["d", 0, "b"]);
});

test("when the task ends nobody is asked any more, and who was in the middle of it is told", () => {
  for (const status of ["cancelling", "cancelled", "failed"] as const) {
    const over = { questions: [question("q", "a")], row: row("a", { status }) };
    expect(planIds(over, new Set(["q"]), none)).toEqual([undefined, 0, "q"]);
    expect(planIds(over, none, none)).toEqual([undefined, 0, undefined]);
  }
});
