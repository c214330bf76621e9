import { expect, test } from "vitest";
import { Announcements } from "./announcements";
import { row } from "./test-messages";

function listener() {
  const said: string[] = [];
  const waiting: (() => void)[] = [];
  const wait = (_: number, run: () => void) => {
    waiting.push(run);
    return () => waiting.splice(0);
  };
  const announcements = new Announcements(
    (text) => said.push(text),
    (status) => status,
    wait,
  );
  return { said, announcements, pass: () => waiting.splice(0).map((run) => run()) };
}

test("a status change is told at once; those that follow soon are told later, as the last of them", () => {
  const { said, announcements, pass } = listener();
  announcements.take(undefined, row("a", { status: "queued" }));
  announcements.take(row("a", { status: "queued" }), row("a", { status: "loading" }));
  announcements.take(row("a", { status: "loading" }), row("a", { status: "running" }));
  expect(said).toEqual(["a: queued"]);
  pass();
  expect(said).toEqual(["a: queued", "a: running"]);
});

test("figures that move are not told", () => {
  const { said, announcements } = listener();
  announcements.take(row("a"), row("a", { tokens: 9 }));
  expect(said).toEqual([]);
});

test("one task's silence does not hold back another's news", () => {
  const { said, announcements } = listener();
  announcements.take(undefined, row("a"));
  announcements.take(undefined, row("b"));
  expect(said).toHaveLength(2);
});
