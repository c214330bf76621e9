import { beforeEach, describe, expect, it } from "vitest";
import { isLegalChange, restartPolicies, unfinishedStatuses } from "../../shared/lifecycle";
import { MemoryStore } from "../store/memory-store";
import { sampleQuestion, sampleTask } from "../store/sample";
import type { TaskRecord } from "./adoption";
import type { Fact } from "./fact";
import { newIds } from "./ids";
import { Ledger } from "./ledger";
import { TestClock } from "./test-clock";
import { scripted, TestEngine } from "./test-engine";

const outcome = { kind: "cancelled", reason: "no" } as const;

function record(id: string, given: Parameters<typeof sampleTask>[1] = {}, more: Partial<TaskRecord> = {}): TaskRecord {
  const { rev: _rev, ...task } = sampleTask(id, { status: "cancelled", outcome, lastSeq: 1, ...given });
  const at = 1_000;
  const created = { taskId: id, from: null, to: "queued", at, attempt: 1, reason: null } as const;
  return {
    task,
    input: { of: id },
    idempotency: null,
    commits: [
      { changes: [created], events: [{ taskId: id, seq: 0, at, body: { type: "created" } }] },
      { changes: [], events: [{ taskId: id, seq: 1, at, body: { type: "started", attempt: 1 } }] },
    ],
    steps: [["s", 1]],
    questions: [sampleQuestion(id, `q_${id}`)],
    ...more,
  };
}

describe("the ledger adopts", () => {
  let store: MemoryStore;
  let clock: TestClock;
  let ledger: Ledger;
  let facts: Fact[];

  beforeEach(() => {
    store = new MemoryStore();
    clock = new TestClock();
    ledger = new Ledger(
      store,
      clock,
      newIds(() => clock.now()),
      () => undefined,
    );
    ledger.load();
    facts = [];
    ledger.subscribe((fact) => facts.push(fact));
  });

  it("an ended task as it is, in the order of its commits, and tells of it", () => {
    const given = record("t1");
    const [adopted] = ledger.adopt([given]);
    expect(adopted).toEqual({ ...given.task, row: 1, rev: 2 });
    expect(store.task("t1")).toEqual(adopted);
    expect(store.changes("t1").map(({ rev }) => rev)).toEqual([1]);
    expect(store.events("t1", -1, 9).map(({ seq, rev }) => [seq, rev])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect([store.input("t1"), [...store.steps("t1")], store.questions("t1")]).toEqual([
      { of: "t1" },
      [["s", 1]],
      given.questions,
    ]);
    expect(facts).toEqual([{ kind: "adopted", taskId: "t1", client: "a" }]);
    expect(ledger.rev).toBe(2);
  });

  it("nothing in place of what is there", () => {
    ledger.adopt([record("t1")]);
    const before = [store.task("t1"), store.events("t1", -1, 9), store.lastRev()];
    expect(ledger.adopt([record("t1", { title: "Other" })])).toEqual([]);
    expect([store.task("t1"), store.events("t1", -1, 9), store.lastRev()]).toEqual(before);
    expect(facts).toHaveLength(1);
  });

  it.each(unfinishedStatuses.flatMap((status) => restartPolicies.map((onRestart) => ({ status, onRestart }))))(
    "a task that was $status, with the policy $onRestart, as one that has ended",
    ({ status, onRestart }) => {
      clock.advance(500);
      ledger.adopt([record("t1", { status, onRestart, outcome: null })]);
      const to = status === "cancelling" ? "cancelled" : "failed";
      const task = store.task("t1");
      expect([task?.status, task?.updatedAt, task?.lastSeq]).toEqual([to, clock.now(), 2]);
      expect(task?.outcome).toMatchObject(to === "failed" ? { problem: { code: "server_restarted" } } : { kind: to });
      expect(store.changes("t1").at(-1)).toMatchObject({ from: status, to, at: clock.now(), rev: 3 });
      expect(isLegalChange(status, to)).toBe(true);
      expect(store.events("t1", 1, 9)).toMatchObject([{ seq: 2, rev: 3, body: { type: "ended" } }]);
      expect([store.unfinished(), ledger.waiting]).toEqual([[], 0]);
    },
  );

  it("a key with its task, unless it means another task here", async () => {
    const key = { key: "k", fingerprint: "f" };
    ledger.adopt([record("t1", {}, { idempotency: key }), record("t2", {}, { idempotency: key })]);
    expect([store.idempotency("t1"), store.idempotency("t2")]).toEqual([key, null]);
    expect(store.byIdempotencyKey("a", "k")?.task.id).toBe("t1");
  });

  it("all of them or none", () => {
    const twice = [record("t1"), record("t2", {}, { questions: [sampleQuestion("t2", "q_t1")] })];
    expect(() => ledger.adopt(twice)).toThrow("not new");
    expect([store.tasks({ limit: 9 }), facts]).toEqual([[], []]);
  });
});

it("an engine runs nothing that came from a file, and its own tasks go on", async () => {
  const engine = new TestEngine(scripted({ text: "Hello" }));
  const own = await engine.create({ model: "m" });
  engine.ledger.adopt([record("task_1", { status: "running", outcome: null, onRestart: "resume", model: "m" })]);
  await engine.becomes(own.id, "succeeded");
  expect([engine.status("task_1"), engine.path("task_1")]).toEqual(["failed", ["queued", "failed"]]);
  await engine.close();
  const again = new TestEngine(scripted({ text: "Hello" }), { store: engine.store });
  expect(again.status("task_1")).toBe("failed");
  await again.close();
});
