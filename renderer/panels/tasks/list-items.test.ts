import { expect, test } from "vitest";
import { row } from "../../state/test-messages";
import { itemsOf, type Moment, neighbourOf } from "./list-items";

const noon = new Date(2026, 2, 30, 12).getTime();
const moment = { now: noon, today: new Date(2026, 2, 30).getTime(), held: null };
const hour = 3_600_000;
const lines = (rows: ReturnType<typeof row>[], query = "", at: Partial<Moment> = {}) =>
  itemsOf(rows, query, { ...moment, ...at }).items.map((item) =>
    item.kind === "group" ? `${item.name} ${item.count}` : item.key,
  );

test("who needs the person comes first, then what is active in its order, then the days, newest end first", () => {
  const done = (id: string, ago: number) => row(id, { status: "succeeded", updatedAt: noon - ago });
  const rows = [
    row("q", { row: 9, status: "queued" }),
    row("r", { row: 5, status: "running" }),
    row("ask", { row: 7, status: "input_required", question: { id: "q", message: "Which?" } }),
    done("early", 3 * hour),
    done("late", hour),
    done("before", 20 * hour),
    done("sunday", 60 * hour),
  ];
  expect(lines(rows)).toEqual([
    ...["Needs you 1", "ask", "Active 2", "r", "q"],
    ...["Today 2", "late", "early", "Yesterday 1", "before", "Saturday, March 28 1", "sunday"],
  ]);
});

test("a task that just ended stays among the active ones for a moment, and while the pointer is on it", () => {
  const rows = [row("a", { status: "succeeded", updatedAt: noon - 599 })];
  expect(lines(rows)).toEqual(["Active 1", "a"]);
  expect(lines(rows, "", { now: noon + 1 })).toEqual(["Today 1", "a"]);
  const later = noon + 9_000;
  expect(lines(rows, "", { now: later, held: { id: "a", since: noon - 700 } })).toEqual(["Active 1", "a"]);
  // One that had ended before the pointer came has its place below.
  expect(lines(rows, "", { now: later, held: { id: "a", since: noon } })).toEqual(["Today 1", "a"]);
});

test("a search looks into titles, whatever the case", () => {
  const rows = [row("a", { title: "Write a Story" }), row("b", { title: "Tea" })];
  expect(lines(rows, " story ")).toEqual(["Active 1", "a"]);
  expect(lines(rows, "nothing")).toEqual([]);
});

test("places in the queue count those who wait for the same model, also those a search hides", () => {
  const waiting = (id: string, at: number, model: string) => row(id, { row: at, model, status: "queued" });
  const rows = [waiting("c", 3, "m"), waiting("a", 1, "m"), waiting("b", 2, "other"), row("r")];
  expect([...itemsOf(rows, "c", moment).places]).toEqual([
    ["a", 1],
    ["c", 2],
    ["b", 1],
  ]);
});

test("a task that ended in a future by a clock set back counts as today's", () => {
  expect(lines([row("a", { status: "failed", updatedAt: noon + 48 * hour })], "", { now: noon + 99 * hour })).toEqual([
    "Today 1",
    "a",
  ]);
});

test("the neighbours of a task skip the heads of groups and stop at the ends", () => {
  const { items } = itemsOf([row("a", { row: 1 }), row("b", { row: 2 }), row("c", { row: 3 })], "", moment);
  const steps = [
    ["a", 1],
    ["c", 1],
    ["a", -1],
    ["gone", 1],
    [null, -1],
  ] as const;
  expect(steps.map(([from, step]) => neighbourOf(items, from, step))).toEqual(["b", "c", "a", "a", "a"]);
  expect(neighbourOf([], "a", 1)).toBeNull();
});

test("a task that waits for its caller alone is active: the person is not needed", () => {
  const rows = [row("ask", { status: "input_required", question: null })];
  expect(lines(rows)).toEqual(["Active 1", "ask"]);
});
