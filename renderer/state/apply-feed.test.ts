import { expect, test } from "vitest";
import { applyFeed, listOf, placeOf } from "./apply-feed";
import { feed, host, row } from "./test-messages";

const list = listOf({ rev: 5, rows: [row("a", { rev: 3 }), row("b", { rev: 5 })], host: host() }, null);

test("a message that begins where the list stands is the next one, also when it moves no rev", () => {
  expect([placeOf(list, feed(5, 7)), placeOf(list, feed(5, 5))]).toEqual(["next", "next"]);
});

test("a message from before the snapshot is old; one that begins later leaves a gap", () => {
  expect([placeOf(list, feed(3, 5)), placeOf(list, feed(6, 8)), placeOf(list, feed(4, 6))]).toEqual([
    "old",
    "gap",
    "gap",
  ]);
});

test("rows are added, replaced and removed", () => {
  const rows = [row("a", { rev: 6, tokens: 9 }), row("c", { rev: 7 })];
  const after = applyFeed(list, feed(5, 7, { rows, removed: ["b"] }));
  expect([...after.rows.values()]).toEqual(rows);
  expect(after.rev).toBe(7);
});

test("a row is never replaced by an older one", () => {
  const after = applyFeed(list, feed(5, 6, { rows: [row("b", { rev: 4, title: "old" })] }));
  expect(after.rows.get("b")?.title).toBe("b");
});

test("the list keeps its shape while only figures move, and changes it with a status", () => {
  const figures = applyFeed(list, feed(5, 6, { rows: [row("a", { rev: 3, tokens: 40, tokensPerSecond: 12 })] }));
  expect(figures.shape).toBe(list.shape);
  expect(figures.rows.get("a")?.tokens).toBe(40);
  const moved = applyFeed(figures, feed(6, 7, { rows: [row("a", { rev: 7, status: "succeeded" })] }));
  expect(moved.shape).toBeGreaterThan(list.shape);
});

test("the host's state stays until a message brings another", () => {
  const down = host({ endpointProblem: "The port is taken." });
  const after = applyFeed(applyFeed(list, feed(5, 5, { host: down })), feed(5, 6));
  expect(after.host).toEqual(down);
});

test("a new snapshot replaces every row", () => {
  expect([...listOf({ rev: 9, rows: [row("z")], host: host() }, list).rows.keys()]).toEqual(["z"]);
});
