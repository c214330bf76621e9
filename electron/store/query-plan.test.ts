import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { taskStatuses } from "../../shared/lifecycle";
import type { TaskQuery } from "../engine/store";
import { type Database, openDatabase } from "./database";
import { sampleChange, sampleEvent, sampleQuestion, sampleTask } from "./sample";
import { SqliteStore } from "./sqlite-store";

/** Every plan step that is not a search by a key; how much such a step reads grows with what the store holds. */
const looksAtAll = /^SCAN|TEMP B-TREE/;

let folder: string;
let database: Database;
let store: SqliteStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-store-"));
  database = openDatabase(join(folder, "simmer.db")).database;
  store = new SqliteStore(database);
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** The plans of all statements that `work` runs, one line a step. */
function plansOf(work: () => void): string[] {
  const spies = [vi.spyOn(database, "run"), vi.spyOn(database, "get"), vi.spyOn(database, "all")];
  work();
  const heard = new Set(spies.flatMap((spy) => spy.mock.calls.map(([sql]) => sql)));
  for (const spy of spies) spy.mockRestore();
  const planned = [...heard].filter((sql) => /^(SELECT|UPDATE|DELETE|INSERT)/.test(sql));
  expect(planned.length).toBeGreaterThan(0);
  return planned.flatMap((sql) =>
    database.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => `${detail} <- ${sql}`),
  );
}

test("nothing that is done to one task looks at the others", () => {
  const plans = plansOf(() => {
    store.insert(sampleTask("t1", { status: "running" }), null, { key: "k", fingerprint: "f" });
    store.addChange(sampleChange("t1"));
    store.addEvents([sampleEvent("t1", 0)]);
    store.update("t1", "running", { lastSeq: 1, rev: 2 });
    store.update("t1", "running", { status: "failed", updatedAt: 2, outcome: null });
    store.addStep("t1", "s", 1);
    store.addQuestion(sampleQuestion("t1", "q1"));
    store.answerQuestion("q1", { answer: { action: "cancel" }, by: "a", at: 1 });
    store.questions("t1");
    store.dropAttempt("t1");
    store.task("t1");
    store.input("t1");
    store.idempotency("t1");
    store.byIdempotencyKey("a", "k");
    store.changes("t1");
    store.events("t1", -1, 9);
    store.lastUsedModel(["m", "n"]);
    store.client("a");
    store.touchClient("a", 1);
    expect(store.expireEvents(9, 9)).toBe(1);
    store.expired(9, 9);
    store.overdue(9, 9);
    store.nextExpiry();
    store.remove("t1");
  });
  expect(plans.length).toBeGreaterThan(20);
  expect(plans.filter((plan) => looksAtAll.test(plan))).toEqual([]);
});

test.each([
  {},
  { client: "a" },
  { client: "a", listed: true },
  { client: "a", listed: true, jobs: ["respond"] },
  { client: "a", jobs: ["respond", "summarize"], statuses: ["failed"] },
  { client: "a", statuses: taskStatuses },
  { statuses: ["queued", "failed"] },
  { statuses: ["queued"], listed: true, jobs: ["respond"], beforeRow: 7 },
] satisfies Omit<TaskQuery, "limit">[])(
  "the list %j walks indexes from their newest entry, sorts nothing and reads no input",
  (query) => {
    const plans = plansOf(() => store.tasks({ ...query, limit: 50 }));
    expect(plans.filter((plan) => looksAtAll.test(plan) || plan.includes("inputs"))).toEqual([]);
    // A walk along the rows that drops what does not match would be a search too, by its name.
    const walks = plans.filter((plan) => plan.startsWith("SEARCH") && !plan.includes("(rowid=?)"));
    const asked = ["client" in query ? "client=?" : "", "statuses" in query ? "status=?" : "", "rowid<?"];
    expect(walks.length).toBeGreaterThan(0);
    expect(walks.filter((plan) => !asked.every((term) => plan.split(" <- ")[0]?.includes(term)))).toEqual([]);
  },
);

test("a page of all tasks walks their rows", () => {
  const plans = plansOf(() => store.tasksAfter(5, 100));
  expect(plans.map((plan) => plan.split(" <- ")[0])).toEqual(["SEARCH tasks USING INTEGER PRIMARY KEY (rowid>?)"]);
});

test("the unfinished are found among themselves", () => {
  const [plan, ...more] = plansOf(() => store.unfinished());
  expect([plan?.startsWith("SCAN tasks USING INDEX tasks_unfinished"), more]).toEqual([true, []]);
});

test("output touches no index of the tasks", () => {
  store.insert(sampleTask("t1", { status: "running" }), null, null);
  const opened = database
    .all<{ opcode: string; p4: string | null }>(
      "EXPLAIN UPDATE tasks SET last_seq = ?, rev = ? WHERE id = ? AND status = ?",
    )
    .filter(({ opcode }) => opcode === "IdxInsert" || opcode === "IdxDelete");
  expect(opened).toEqual([]);
});
