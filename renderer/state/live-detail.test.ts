import fc from "fast-check";
import { expect, test } from "vitest";
import type { Feed } from "../../shared/desktop/feed";
import { follow, type LiveDetail } from "./live-detail";
import { detail, feed, question, row, text } from "./test-messages";

const opened = (output = "", more = {}): LiveDetail => ({ detail: detail("a", output, more), stale: false });
const textOf = (live: LiveDetail) => live.detail.output.map((item) => item.text).join("|");

test("new text is added where it begins", () => {
  const after = follow(opened("One "), feed(1, 2, { output: [text("a", 4, "two")] }));
  expect(textOf(after)).toBe("One two");
});

test("text that is there already is not added again, nor is its beginning", () => {
  const output = [text("a", 0, "One "), text("a", 2, "e two")];
  expect(textOf(follow(opened("One "), feed(1, 2, { output })))).toBe("One two");
});

test("whatever is sent twice or overlaps, the text is the stored text", () => {
  const whole = "The kite rose over the hill, and 风筝 flew on.";
  const piece = fc.tuple(fc.nat(whole.length), fc.nat(12));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      let live = opened();
      let rev = 1;
      for (const [from, length] of pieces) {
        const before = textOf(live);
        const added = text("a", from, whole.slice(from, from + length));
        live = follow({ ...live, stale: false }, feed(rev, rev + 1, { output: [added] }));
        rev += 1;
        expect(whole.startsWith(textOf(live))).toBe(true);
        expect(textOf(live).length).toBeGreaterThanOrEqual(before.length);
      }
    }),
  );
});

test("text of another task changes nothing", () => {
  const after = follow(opened("A"), feed(1, 2, { output: [text("b", 1, " from b")] }));
  expect(textOf(after)).toBe("A");
});

test("an answer and the thinking before it are kept apart", () => {
  const thought = text("a", 0, "Hm.", { item: { id: "rs_1", type: "reasoning" } });
  const after = follow(opened(), feed(1, 2, { output: [thought, text("a", 0, "Yes.", { index: 1 })] }));
  expect(after.detail.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
  expect(textOf(after)).toBe("Hm.|Yes.");
});

test("missing text makes the detail stale, and nothing is guessed", () => {
  const after = follow(opened("One"), feed(1, 2, { output: [text("a", 9, "later")] }));
  expect([after.stale, textOf(after)]).toEqual([true, "One"]);
});

test("a new attempt makes the detail stale, and its text is not mixed into the old one", () => {
  const first = follow(opened("Old"), feed(1, 2, { rows: [row("a", { attempt: 2, rev: 2 })] }));
  const after = follow(first, feed(2, 3, { output: [text("a", 0, "Newer text", { attempt: 2 })] }));
  expect([after.stale, textOf(after)]).toEqual([true, "Old"]);
});

test("late text of an earlier attempt is dropped", () => {
  const second = opened("New", { row: row("a", { attempt: 2 }) });
  expect(textOf(follow(second, feed(1, 2, { output: [text("a", 3, " old")] })))).toBe("New");
});

test("the end makes the detail stale once, for only a read brings the result", () => {
  const ended: Partial<Feed> = { rows: [row("a", { status: "succeeded", rev: 2 })] };
  const after = follow(opened("x"), feed(1, 2, ended));
  expect([after.stale, after.detail.row.status]).toEqual([true, "succeeded"]);
  expect(follow({ ...after, stale: false }, feed(2, 3, ended)).stale).toBe(false);
});

test("what a message from before the read says of text, moves and samples is in the detail already", () => {
  const sample = { taskId: "a", at: 5, attempt: 1, tokens: 3 };
  const late = feed(1, 4, { output: [text("a", 3, "!")], samples: [sample] });
  const live = opened("Yes", { rev: 4 });
  expect(follow(live, late)).toBe(live);
});

test("transitions and samples are added once, and the first token is noted", () => {
  const change = { taskId: "a", from: "loading", to: "running", at: 4, attempt: 1, rev: 2, reason: null } as const;
  const sample = { taskId: "a", at: 5, attempt: 1, tokens: 3 };
  const once = follow(opened(), feed(1, 2, { changes: [change], samples: [sample] }));
  const twice = follow(once, feed(2, 3, { changes: [change] }));
  expect(twice.detail.changes).toEqual([change]);
  expect(twice.detail.samples).toEqual([{ at: 5, attempt: 1, tokens: 3 }]);
  expect(twice.detail.firstTokenAt).toBe(5);
});

test("a question and its answer come with messages that move no rev, too", () => {
  const asked = follow(opened(), feed(1, 1, { questions: [question("q", "a"), question("other", "b")] }));
  expect(asked.detail.questions.map(({ id, answered }) => [id, answered])).toEqual([["q", null]]);
  const answered = { action: "decline", by: "agent", at: 5 } as const;
  const after = follow(asked, feed(1, 1, { questions: [question("q", "a", { answered })] }));
  expect(after.detail.questions).toMatchObject([{ id: "q", answered: { by: "agent" } }]);
});

test("an answer is never taken back by an older message", () => {
  const answered = question("q", "a", { answered: { action: "accept", by: null, at: 5 } });
  const live = opened("", { questions: [answered] });
  expect(follow(live, feed(1, 2, { questions: [question("q", "a")] })).detail.questions).toEqual([answered]);
});
