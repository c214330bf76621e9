import { beforeEach, describe, expect, it } from "vitest";
import type { EventBody } from "../../shared/event";
import { MemoryStore } from "../store/memory-store";
import type { Draft } from "./draft";
import type { Fact } from "./fact";
import { newIds } from "./ids";
import { Ledger } from "./ledger";
import { TestClock } from "./test-clock";

const draft: Draft = {
  client: "a",
  caller: null,
  origin: "lmsp",
  listed: true,
  job: "respond",
  title: "Hello",
  model: "m",
  onRestart: "fail",
  ttl: null,
  answers: [],
  faceData: null,
  input: { text: "Hello" },
  idempotency: null,
  waitingLimits: { client: 3, total: 5 },
};
const delta: EventBody = { type: "delta", index: 0, item: { id: "msg_1", type: "message" }, text: "x", tokens: [1] };

describe("the ledger", () => {
  let store: CountingStore;
  let clock: TestClock;
  let ledger: Ledger;
  let facts: Fact[];

  beforeEach(() => {
    store = new CountingStore();
    clock = new TestClock();
    ledger = new Ledger(
      store,
      clock,
      newIds(() => clock.now()),
      (error) => {
        throw error;
      },
    );
    facts = [];
    ledger.subscribe((fact) => facts.push(fact));
  });

  async function running(): Promise<string> {
    const { task } = await ledger.create(draft);
    ledger.move(task.id, "queued", "loading");
    ledger.move(task.id, "loading", "running", { events: [{ type: "started", attempt: 1 }] });
    return task.id;
  }

  it("stores a create before anybody hears of it, and answers with the task as committed", async () => {
    const creating = ledger.create(draft);
    expect([store.tasks({ limit: 9 }), facts]).toEqual([[], []]);
    const { task, replayed } = await creating;
    expect(replayed).toBe(false);
    expect(store.task(task.id)).toEqual(task);
    expect(store.input(task.id)).toEqual(draft.input);
    expect(store.events(task.id, -1, 9).map(({ seq, body }) => [seq, body.type])).toEqual([[0, "created"]]);
    expect(facts).toEqual([
      { kind: "moved", taskId: task.id, client: task.client, task, change: store.changes(task.id)[0] },
    ]);
  });

  it("shares one sync between the creates that arrive together", async () => {
    await Promise.all([ledger.create(draft), ledger.create(draft), ledger.create({ ...draft, client: "b" })]);
    expect(store.syncs).toBe(1);
  });

  it("refuses one create of a shared commit without harm to the others", async () => {
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => ledger.create(draft)));
    expect(results.map(({ status }) => status)).toEqual([...Array(3).fill("fulfilled"), ...Array(3).fill("rejected")]);
    expect(results[5]).toMatchObject({ reason: { problem: { code: "queue_full", retryAfter: 1 } } });
    expect(store.tasks({ limit: 9 })).toHaveLength(3);
  });

  it("counts only waiting tasks against the limits", async () => {
    for (let n = 0; n < 3; n += 1) await running();
    const { task } = await ledger.create(draft);
    ledger.move(task.id, "queued", "cancelled", { events: [{ type: "ended" }] });
    await Promise.all([ledger.create(draft), ledger.create(draft), ledger.create(draft)]);
    await expect(ledger.create(draft)).rejects.toThrow("queue_full");
    await Promise.all([ledger.create({ ...draft, client: "b" }), ledger.create({ ...draft, client: "b" })]);
    await expect(ledger.create({ ...draft, client: "c" })).rejects.toThrow("queue_full");
  });

  it("gives back the places of creates that could not be stored", async () => {
    store.failNext = true;
    await expect(Promise.all([ledger.create(draft), ledger.create(draft)])).rejects.toThrow("disk");
    const made = await Promise.all([ledger.create(draft), ledger.create(draft), ledger.create(draft)]);
    expect(made).toHaveLength(3);
  });

  it("makes one task of concurrent creates with one key, and refuses another request under it", async () => {
    const keyed = { ...draft, idempotency: { key: "k", fingerprint: "f" } };
    const made = await Promise.all(Array.from({ length: 10 }, () => ledger.create(keyed)));
    expect(new Set(made.map(({ task }) => task.id)).size).toBe(1);
    expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1);
    const other = { ...keyed, idempotency: { key: "k", fingerprint: "g" } };
    await expect(ledger.create(other)).rejects.toThrow("idempotency_key_reused");
    expect((await ledger.create({ ...other, client: "b" })).replayed).toBe(false);
  });

  it("lets the first committed transition win", async () => {
    const id = await running();
    expect(ledger.move(id, "running", "cancelling")?.status).toBe("cancelling");
    expect(ledger.move(id, "running", "succeeded")).toBeUndefined();
    expect(store.task(id)?.status).toBe("cancelling");
  });

  it("refuses a move that the life cycle does not have, as a bug", async () => {
    const id = await running();
    expect(() => ledger.move(id, "running", "queued")).toThrow("No task moves from running to queued");
  });

  it("numbers events without a gap, and moves updatedAt with the status only", async () => {
    const id = await running();
    const { updatedAt } = store.task(id) ?? {};
    clock.advance(5_000);
    expect(ledger.append(id, [delta, delta])).toBe(true);
    expect(ledger.append(id, [delta])).toBe(true);
    expect(store.events(id, -1, 9).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
    expect(store.task(id)).toMatchObject({ updatedAt, lastSeq: 4 });
  });

  it("appends nothing to a task that does not run", async () => {
    const id = await running();
    ledger.move(id, "running", "cancelling");
    facts.length = 0;
    expect(ledger.append(id, [delta])).toBe(false);
    expect([store.events(id, 1, 9), facts]).toEqual([[], []]);
  });

  it("begins an attempt in place: created stays, the superseded events go, numbers go on", async () => {
    const id = await running();
    ledger.append(id, [delta, delta]);
    const task = store.task(id);
    if (task === undefined) throw new Error("gone");
    expect(ledger.restartAttempt(task, "lost", "starts over")).toMatchObject({ status: "running", attempt: 2 });
    expect(store.events(id, -1, 9).map(({ seq, body }) => [seq, body])).toEqual([
      [0, { type: "created" }],
      [4, { type: "started", attempt: 2 }],
    ]);
    expect(store.changes(id).at(-1)).toMatchObject({ from: "running", to: "running", attempt: 2, reason: "lost" });
  });

  it("gives each commit a rev of its own, and goes on after the highest one at the next start", async () => {
    const id = await running();
    ledger.append(id, [delta]);
    const revs = facts.map((fact) =>
      fact.kind === "moved" ? fact.change.rev : fact.kind === "appended" ? fact.events[0]?.rev : 0,
    );
    expect(revs).toEqual([1, 2, 3, 3, 4]);
    const next = new Ledger(
      store,
      clock,
      newIds(() => clock.now()),
      () => undefined,
    );
    next.load();
    expect((await next.create(draft)).task.rev).toBe(5);
  });

  it("follows from history into live and ends after the final event", async () => {
    const id = await running();
    const seen: string[] = [];
    const following = (async () => {
      for await (const batch of ledger.follow(id, -1, new AbortController().signal))
        for (const { seq, body } of batch) seen.push(`${seq} ${body.type}`);
    })();
    ledger.append(id, [delta]);
    await Promise.resolve();
    ledger.append(id, [delta]);
    ledger.move(id, "running", "succeeded", { events: [{ type: "ended" }] });
    await following;
    expect(seen).toEqual(["0 created", "1 started", "2 delta", "3 delta", "4 ended"]);
  });

  it("ends a stream that has nothing more to give: for a cursor past the end, and for a history that has expired", async () => {
    const id = await running();
    const signal = new AbortController().signal;
    const past = ledger.follow(id, 1_000, signal).next();
    const slow = ledger.follow(id, -1, signal);
    expect((await slow.next()).value).toHaveLength(2);
    ledger.move(id, "running", "failed", { events: [{ type: "ended" }] });
    expect((await past).done).toBe(true);
    expect((await ledger.follow(id, 1_000, signal).next()).done).toBe(true);
    const late = ledger.follow(id, 0, signal);
    ledger.expireEvents(clock.now(), 10);
    expect((await late.next()).done).toBe(true);
  });

  it("stops following when the reader goes, and when the task is removed", async () => {
    const id = await running();
    const gone = new AbortController();
    const first = ledger.follow(id, 1, gone.signal).next();
    gone.abort();
    expect((await first).done).toBe(true);
    ledger.move(id, "running", "failed", { events: [] });
    const second = ledger.follow(id, 1, new AbortController().signal).next();
    const task = store.task(id);
    if (task !== undefined) ledger.remove(task);
    expect((await second).done).toBe(true);
    expect(facts.at(-1)).toEqual({ kind: "removed", taskId: id, client: "a" });
  });
});

/** Counts syncs, and can fail like a full disk. */
class CountingStore extends MemoryStore {
  syncs = 0;
  failNext = false;

  override transaction<T>(durability: "synced" | "written", work: () => T): T {
    if (durability === "synced") this.syncs += 1;
    return super.transaction(durability, () => {
      const result = work();
      if (!this.failNext) return result;
      this.failNext = false;
      throw new Error("the disk is full");
    });
  }
}
