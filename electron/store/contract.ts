import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../../shared/json";
import { isTerminal, taskStatuses } from "../../shared/lifecycle";
import type { Outcome, Task } from "../../shared/task";
import type { ClientRecord, TaskQuery, TaskStore } from "../engine/store";
import { sampleChange, sampleDelta, sampleEvent, sampleQuestion, sampleTask } from "./sample";
import { describeExpiries } from "./test-expiries";
import { describeQuestions } from "./test-questions";

export interface OpenedStore {
  readonly store: TaskStore;
  /** Closes the store and opens it again on the same data, where there is any. */
  readonly reopen?: () => TaskStore;
}

const failed: Outcome = { kind: "error", problem: { code: "backend_crashed", detail: "It crashed.", retryAfter: 1 } };
const strangeTexts = [
  "",
  '"',
  "\\",
  "a\u0000b",
  "\ud83d",
  "\ude00\ud83d",
  "👩‍👩‍👧 漢字 e\u0301",
  "\u2028\ufeff\r\n\t",
  '"\ud800"',
];

/** What the port promises, for every implementation of it. */
export function describeTaskStore(name: string, open: () => OpenedStore): void {
  describe(`${name} keeps the contract of a task store`, () => {
    let store: TaskStore;
    let reopened: () => TaskStore;

    beforeEach(() => {
      const opened = open();
      store = opened.store;
      reopened = () => {
        if (opened.reopen !== undefined) store = opened.reopen();
        return store;
      };
    });

    afterEach(() => store.close());

    const insert = (id: string, given: Partial<Omit<Task, "row">> = {}, input: Json = null) =>
      store.insert(sampleTask(id, given), input, null);
    const insertMany = (count: number, given: (index: number) => Partial<Omit<Task, "row">> = () => ({})) =>
      Array.from({ length: count }, (_, index) => insert(`t${index}`, given(index)));
    const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id);
    const listed = (query: Omit<TaskQuery, "limit"> & { limit?: number }) => ids(store.tasks({ limit: 99, ...query }));

    describe("transactions", () => {
      it("keep all of the work and return its result", () => {
        const result = store.transaction("written", () => {
          insert("t1");
          store.addEvents([sampleEvent("t1", 0)]);
          return 7;
        });
        expect([result, store.task("t1")?.id, store.events("t1", -1, 9)]).toEqual([7, "t1", [sampleEvent("t1", 0)]]);
      });

      it.each(["synced", "written"] as const)(
        "that are %s keep nothing when the work throws, and throw the same",
        (durability) => {
          insert("old", { rev: 5 }, "input");
          store.addEvents([sampleEvent("old", 0), sampleEvent("old", 1)]);
          store.addChange(sampleChange("old"));
          store.addStep("old", "s", 1);
          store.addQuestion(sampleQuestion("old", "q1"));
          store.putClient(clientRecord("c"));
          insert("older", { status: "failed", updatedAt: 1 });
          store.addEvents([sampleEvent("older", 0)]);
          const before = everythingOf(store);
          const reason = new Error("no");
          const work = () => {
            store.insert(sampleTask("new", { rev: 9 }), null, { key: "k", fingerprint: "f" });
            expect(store.answerQuestion("q1", { answer: { action: "cancel" }, by: "a", at: 1 })).toBeDefined();
            store.addQuestion(sampleQuestion("old", "q2"));
            store.update("old", "queued", { status: "failed", model: "other", outcome: failed, lastSeq: 4, rev: 10 });
            store.addEvents([sampleEvent("old", 2)]);
            store.dropAttempt("old");
            store.addEvents([sampleEvent("old", 7)]);
            store.addChange(sampleChange("old", { rev: 11 }));
            store.addStep("old", "s2", 2);
            expect(store.expireEvents(1, 9)).toBe(1);
            store.putClient({ ...clientRecord("c"), tokenHash: "other" });
            store.putClient(clientRecord("d"));
            store.touchClient("c", 99);
            expect(store.remove("older")).toBe(true);
            expect(store.remove("old")).toBe(true);
            throw reason;
          };
          expect(() => store.transaction(durability, work)).toThrow(reason);
          expect(everythingOf(store)).toEqual(before);
          expect(everythingOf(reopened())).toEqual(before);
        },
      );

      it("see their own writes", () => {
        store.transaction("written", () => {
          insert("t1");
          store.update("t1", "queued", { status: "loading" });
          expect(store.task("t1")?.status).toBe("loading");
          expect(listed({ statuses: ["loading"] })).toEqual(["t1"]);
        });
      });

      it("do not nest; the outer one is lost then, and the next works", () => {
        const nested = () => {
          insert("t1");
          store.transaction("written", () => insert("t2"));
        };
        expect(() => store.transaction("written", nested)).toThrow("do not nest");
        expect(listed({})).toEqual([]);
        store.transaction("synced", () => insert("t3"));
        expect(listed({})).toEqual(["t3"]);
      });

      it("go on after a refused write that the work caught, without a part of it", () => {
        store.transaction("written", () => {
          store.insert(sampleTask("t1"), null, { key: "k", fingerprint: "f" });
          expect(() => store.insert(sampleTask("t2"), null, { key: "k", fingerprint: "f" })).toThrow(Error);
          expect(() => insert("t1")).toThrow(Error);
        });
        expect(listed({})).toEqual(["t1"]);
        expect(store.input("t2")).toBeUndefined();
      });

      it("may be left out: what is written alone is one of its own", () => {
        expect(() => store.addEvents([sampleEvent("nobody", 0)])).toThrow(Error);
        insert("t1");
        expect(() => store.addEvents([sampleEvent("t1", 0), sampleEvent("nobody", 0)])).toThrow(Error);
        expect(store.events("t1", -1, 9)).toEqual([]);
      });
    });

    describe("tasks", () => {
      it("come back as they were inserted, with the next row", () => {
        const given = { status: "failed", outcome: failed, ttl: 0, listed: false, eventsExpired: true } as const;
        const first = insert("t1");
        const second = insert("t2", { ...given, caller: null, model: null, origin: "desktop", onRestart: "resume" });
        const third = insert("t3", {
          answers: ["form", "sampling"],
          faceData: { progressToken: 7, text: "a\u0000\ud83d" },
        });
        expect(first).toEqual({ ...sampleTask("t1"), row: first.row });
        expect(second.row).toBeGreaterThan(first.row);
        expect([store.task("t1"), store.task("t2")]).toEqual([first, second]);
        expect([reopened().task("t1"), store.task("t2"), store.task("t3")]).toEqual([first, second, third]);
      });

      it("that nobody knows are undefined, their parts empty", () => {
        insert("t1");
        expect([store.task("t"), store.task("T1"), store.task("t1\u0000"), store.input("t")]).toEqual(
          Array(4).fill(undefined),
        );
        expect([store.changes("t"), store.events("t", -1, 9), [...store.steps("t")]]).toEqual([[], [], []]);
      });

      it("must be new", () => {
        const first = insert("t1", {}, 1);
        expect(() => insert("t1", { title: "other" }, 2)).toThrow(Error);
        expect([store.task("t1"), store.input("t1")]).toEqual([first, 1]);
      });

      it("never get a row that was used before, even when the newest is gone", () => {
        const rows = insertMany(3).map(({ row }) => row);
        store.remove("t2");
        rows.push(insert("t3").row);
        reopened();
        rows.push(insert("t4").row);
        expect(new Set(rows).size).toBe(5);
        expect(rows).toEqual(rows.toSorted((a, b) => a - b));
      });

      it("are not held by reference", () => {
        const input = { list: [1] };
        const outcome = {
          kind: "result",
          result: { items: [], finish: "completed", usage: { inputTokens: 1, outputTokens: 2 }, data: [1] },
        };
        insert("t1", { status: "succeeded", outcome: outcome as unknown as Outcome }, input);
        input.list.push(2);
        outcome.kind = "changed";
        (store.input("t1") as typeof input).list.push(3);
        expect([store.input("t1"), store.task("t1")?.outcome?.kind]).toEqual([{ list: [1] }, "result"]);
      });

      it("keep any text: empty, with NUL, half characters, emoji, line ends, quotes", () => {
        for (const [index, text] of strangeTexts.entries()) {
          const task = insert(
            `t${index}`,
            { client: text, caller: text, title: text, model: text, job: text },
            { [text]: text },
          );
          store.addEvents([sampleEvent(task.id, 0, sampleDelta(text))]);
          store.addChange(sampleChange(task.id, { reason: text }));
          store.addStep(task.id, text, text);
          store.putClient(clientRecord(text));
        }
        reopened();
        for (const [index, text] of strangeTexts.entries()) {
          const id = `t${index}`;
          expect(store.task(id)).toMatchObject({ client: text, caller: text, title: text, model: text, job: text });
          expect(store.input(id)).toEqual({ [text]: text });
          expect(store.events(id, -1, 9)).toEqual([sampleEvent(id, 0, sampleDelta(text))]);
          expect(store.changes(id)).toEqual([sampleChange(id, { reason: text })]);
          expect([...store.steps(id)]).toEqual([[text, text]]);
          expect(store.client(text)).toEqual(clientRecord(text));
          expect(listed({ client: text })).toEqual([id]);
          expect(listed({ client: text, jobs: [text] })).toEqual([id]);
          expect(store.lastUsedModel([text])).toBe(text);
        }
      });

      it("keep an input of 4 MiB, and any JSON", () => {
        const large = { text: "漢\u0000x".repeat(1_400_000), deep: [null, true, 0.1, -1e300, { "": [] }] };
        insert("t1", {}, large);
        const { text, deep } = reopened().input("t1") as typeof large;
        // Compared at once, not character by character.
        expect([text === large.text, deep]).toEqual([true, large.deep]);
      });
    });

    describe("updates", () => {
      it("change a task that is in the expected status, and return it", () => {
        const before = insert("t1");
        const patch = {
          status: "failed",
          model: '"\u0000',
          attempt: 2,
          updatedAt: 5_000,
          outcome: failed,
          lastSeq: 9,
          rev: 12,
        } as const;
        expect(store.update("t1", "queued", patch)).toEqual({ ...before, ...patch });
        expect(reopened().task("t1")).toEqual({ ...before, ...patch });
      });

      it("do nothing to a task in another status, nor to one that is not there", () => {
        const before = insert("t1");
        expect(store.update("t1", "loading", { status: "running", rev: 50 })).toBeUndefined();
        expect(store.update("t2", "queued", { status: "running", rev: 50 })).toBeUndefined();
        expect([store.task("t1"), store.lastRev()]).toEqual([before, 1]);
      });

      it("change only what they name, down to nothing", () => {
        const before = insert("t1", { outcome: failed });
        expect(store.update("t1", "queued", {})).toEqual(before);
        expect(store.update("t1", "queued", { lastSeq: 3 })).toEqual({ ...before, lastSeq: 3 });
        expect(store.update("t1", "queued", { outcome: null })).toEqual({ ...before, lastSeq: 3, outcome: null });
        expect(store.update("t1", "queued", { model: null })?.model).toBeNull();
      });

      it("let one of two that expect the same win", () => {
        insert("t1", { status: "running" });
        expect(store.update("t1", "running", { status: "cancelling" })?.status).toBe("cancelling");
        expect(store.update("t1", "running", { status: "succeeded" })).toBeUndefined();
        expect(store.task("t1")?.status).toBe("cancelling");
      });
    });

    describe("many moves at once", () => {
      const moved = (task: Task, seq: number) => ({
        task: {
          ...task,
          status: "failed" as const,
          outcome: failed,
          updatedAt: 2_000 + seq,
          lastSeq: seq,
          rev: 100 + seq,
        },
        change: sampleChange(task.id, { from: task.status, to: "failed", rev: 100 + seq, reason: 'a "\0' }),
        events: seq % 2 === 0 ? [] : [sampleEvent(task.id, seq, { type: "ended" })],
      });

      it("are what the same moves one by one are", () => {
        const tasks = insertMany(5, (index) => ({ status: index % 2 === 0 ? "queued" : "running" }));
        const moves = tasks.map((task, index) => moved(task, index));
        store.moveAll(moves);
        const after = reopened();
        for (const { task, change, events } of moves) {
          expect(after.task(task.id)).toEqual(task);
          expect(after.changes(task.id)).toEqual([change]);
          expect(after.events(task.id, -1, 9)).toEqual(events);
        }
        expect(after.unfinished()).toEqual([]);
        expect(after.lastRev()).toBe(104);
      });

      it("are refused together when one task has moved on", () => {
        const [first, second] = insertMany(2);
        if (first === undefined || second === undefined) throw new Error("Nothing was inserted");
        store.update(second.id, "queued", { status: "running" });
        expect(() => store.moveAll([moved(first, 1), moved(second, 1)])).toThrow(/moved on/);
        expect(store.task(first.id)).toEqual(first);
        expect(store.changes(first.id)).toEqual([]);
      });
    });

    describe("idempotency keys", () => {
      it("find the task as it is now, per client, and after a restart", () => {
        store.insert(sampleTask("t1"), null, { key: "k", fingerprint: "f1" });
        store.insert(sampleTask("t2", { client: "b" }), null, { key: "k", fingerprint: "f2" });
        const now = store.update("t1", "queued", { status: "loading" });
        expect(reopened().byIdempotencyKey("a", "k")).toEqual({ task: now, fingerprint: "f1" });
        expect(store.byIdempotencyKey("b", "k")).toEqual({ task: store.task("t2"), fingerprint: "f2" });
        expect([store.byIdempotencyKey("a", "K"), store.byIdempotencyKey("c", "k")]).toEqual([undefined, undefined]);
      });

      it("belong to one task: a second insert with one is refused as a bug, and leaves nothing", () => {
        store.insert(sampleTask("t1"), null, { key: "k", fingerprint: "f" });
        let thrown: unknown;
        try {
          store.insert(sampleTask("t2", { rev: 9 }), null, { key: "k", fingerprint: "f" });
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toBeInstanceOf(Error);
        expect((thrown as Error).name).toBe("Error");
        expect([listed({}), store.lastRev()]).toEqual([["t1"], 1]);
      });

      it("are free again when their task is removed, and not before", () => {
        store.insert(sampleTask("t1", { status: "failed", updatedAt: 1 }), null, { key: "k", fingerprint: "f" });
        store.expireEvents(1, 9);
        expect(store.byIdempotencyKey("a", "k")?.task.id).toBe("t1");
        store.remove("t1");
        expect(store.byIdempotencyKey("a", "k")).toBeUndefined();
        store.insert(sampleTask("t2"), null, { key: "k", fingerprint: "f" });
        expect(store.byIdempotencyKey("a", "k")?.task.id).toBe("t2");
      });

      it("keep any text", () => {
        for (const [index, key] of strangeTexts.entries())
          store.insert(sampleTask(`t${index}`), null, { key, fingerprint: key });
        const found = strangeTexts.map((key) => reopened().byIdempotencyKey("a", key));
        expect(found.map((one) => one?.fingerprint)).toEqual(strangeTexts);
        expect(found.map((one) => one?.task.id)).toEqual(strangeTexts.map((_, index) => `t${index}`));
      });
    });

    describe("lists", () => {
      it("are newest first, whatever the times say", () => {
        insertMany(4, (index) => ({ createdAt: 9_000 - index }));
        expect(listed({})).toEqual(["t3", "t2", "t1", "t0"]);
        expect(listed({ limit: 2 })).toEqual(["t3", "t2"]);
        expect(listed({ limit: 0 })).toEqual([]);
      });

      it("filter by client, jobs, listed and statuses in every combination", () => {
        const clients = ["a", "b"];
        const jobs = ["respond", "summarize"];
        const tasks = insertMany(64, (index) => ({
          client: clients[index % 2] ?? "",
          job: jobs[(index >> 1) % 2] ?? "",
          listed: (index >> 2) % 2 === 0,
          status: taskStatuses[(index >> 3) % 8] ?? "queued",
        })).toReversed();
        for (const client of [undefined, "a", "c"])
          for (const jobsAsked of [undefined, [], ["summarize"], ["respond", "summarize", "respond"]])
            for (const isListed of [undefined, true, false])
              for (const statuses of [undefined, [], ["failed"], ["queued", "running", "queued"]] as const) {
                const expected = tasks.filter(
                  (task) =>
                    (client === undefined || task.client === client) &&
                    (jobsAsked === undefined || jobsAsked.includes(task.job)) &&
                    (isListed === undefined || task.listed === isListed) &&
                    (statuses === undefined || (statuses as readonly string[]).includes(task.status)),
                );
                const query = {
                  ...(client === undefined ? {} : { client }),
                  ...(jobsAsked === undefined ? {} : { jobs: jobsAsked }),
                  ...(isListed === undefined ? {} : { listed: isListed }),
                  ...(statuses === undefined ? {} : { statuses }),
                };
                expect(listed(query), JSON.stringify(query)).toEqual(ids(expected));
                expect(listed({ ...query, limit: 3 })).toEqual(ids(expected.slice(0, 3)));
              }
      });

      it.each([{}, { client: "a" }, { statuses: taskStatuses }, { client: "a", jobs: ["respond"], listed: true }])(
        "page through 60 tasks of one millisecond that change and grow meanwhile, each once: %j",
        (query) => {
          const made = ids(insertMany(60));
          const seen: string[] = [];
          let beforeRow: number | undefined;
          for (let page = 0; ; page += 1) {
            const tasks = store.tasks({ ...query, limit: 10, ...(beforeRow === undefined ? {} : { beforeRow }) });
            if (tasks.length === 0) break;
            seen.push(...ids(tasks));
            beforeRow = tasks.at(-1)?.row;
            insert(`new${page}`);
            for (const id of made.filter((_, index) => index % 6 === page))
              store.update(id, "queued", { status: "succeeded", updatedAt: 2_000 + page });
          }
          expect(seen).toEqual(made.toReversed());
        },
      );

      it("start anywhere, also after a task that is gone", () => {
        const rows = insertMany(5).map(({ row }) => row);
        store.remove("t2");
        const [first, , third] = rows;
        expect(listed({ beforeRow: third ?? 0 })).toEqual(["t1", "t0"]);
        expect(listed({ client: "a", beforeRow: third ?? 0, limit: 1 })).toEqual(["t1"]);
        expect(listed({ beforeRow: first ?? 0 })).toEqual([]);
      });

      it("of the unfinished hold all of them, oldest first", () => {
        insertMany(16, (index) => ({ status: taskStatuses[7 - (index % 8)] ?? "queued", updatedAt: 99 - index }));
        const expected = store
          .tasks({ limit: 99 })
          .filter(({ status }) => !isTerminal(status))
          .toReversed();
        expect(expected).toHaveLength(10);
        expect(store.unfinished()).toEqual(expected);
        store.update("t7", "queued", { status: "cancelled" });
        expect(ids(store.unfinished())).toEqual(ids(expected).filter((id) => id !== "t7"));
      });
    });

    describeExpiries(
      () => store,
      () => reopened(),
    );
    describeQuestions(
      () => store,
      () => reopened(),
    );

    describe("events", () => {
      it("come in order after a number, at most so many", () => {
        insert("t1");
        insert("t2");
        const events = Array.from({ length: 12 }, (_, seq) => sampleEvent("t1", seq, sampleDelta(`${seq}`)));
        store.addEvents(events.slice(0, 5));
        store.addEvents([sampleEvent("t2", 0)]);
        store.addEvents(events.slice(5));
        store.addEvents([]);
        expect(store.events("t1", -1, 99)).toEqual(events);
        expect(store.events("t1", 8, 99)).toEqual(events.slice(9));
        expect(store.events("t1", 3, 4)).toEqual(events.slice(4, 8));
        expect(store.events("t1", 11, 4)).toEqual([]);
        expect(store.events("t1", -1, 0)).toEqual([]);
        expect(reopened().events("t1", -1, 99)).toEqual(events);
      });

      it("do not touch the task's row", () => {
        const task = insert("t1");
        store.addEvents([sampleEvent("t1", 0), sampleEvent("t1", 1)]);
        expect(store.task("t1")).toEqual(task);
      });

      it("never share a number", () => {
        insert("t1");
        store.addEvents([sampleEvent("t1", 0)]);
        expect(() => store.addEvents([sampleEvent("t1", 1), sampleEvent("t1", 0, sampleDelta("x"))])).toThrow(Error);
        expect(store.events("t1", -1, 9)).toEqual([sampleEvent("t1", 0)]);
      });

      it("of a superseded attempt go, but created stays and the gap with it", () => {
        insert("t1");
        insert("t2");
        for (const id of ["t1", "t2"]) store.addEvents([0, 1, 2].map((seq) => sampleEvent(id, seq)));
        store.dropAttempt("t1");
        store.dropAttempt("nobody");
        store.addEvents([sampleEvent("t1", 3)]);
        expect(store.events("t1", -1, 9).map(({ seq }) => seq)).toEqual([0, 3]);
        expect(store.events("t1", 1, 9).map(({ seq }) => seq)).toEqual([3]);
        expect(store.events("t2", -1, 9)).toHaveLength(3);
      });

      it("expire with the end of their task: all of them, marked, and once", () => {
        const end = (id: string, updatedAt: number) => insert(id, { status: "succeeded", updatedAt, lastSeq: 2 });
        end("newest", 3_000);
        end("oldest", 1_000);
        const kept = end("middle", 2_000);
        for (const id of ["newest", "oldest", "middle"]) store.addEvents([0, 1, 2].map((seq) => sampleEvent(id, seq)));
        expect(store.expireEvents(999, 9)).toBe(0);
        expect(store.expireEvents(3_000, 1)).toBe(1);
        expect(store.task("oldest")?.eventsExpired).toBe(true);
        expect(store.expireEvents(1_999, 9)).toBe(0);
        expect(store.task("middle")).toEqual(kept);
        expect(store.expireEvents(2_000, 9)).toBe(1);
        expect(store.task("middle")).toEqual({ ...kept, eventsExpired: true });
        expect([store.events("oldest", -1, 9), store.events("middle", -1, 9)]).toEqual([[], []]);
        expect(store.events("newest", -1, 9)).toHaveLength(3);
        expect([store.expireEvents(3_000, 9), store.expireEvents(3_000, 9)]).toEqual([1, 0]);
      });

      it("never expire while their task lives", () => {
        for (const status of taskStatuses) insert(status, { status, updatedAt: 1 });
        for (const status of taskStatuses) store.addEvents([sampleEvent(status, 0)]);
        expect(store.expireEvents(9_999, 99)).toBe(3);
        for (const status of taskStatuses) {
          expect(store.events(status, -1, 9)).toHaveLength(isTerminal(status) ? 0 : 1);
          expect(store.task(status)?.eventsExpired).toBe(isTerminal(status));
        }
      });
    });

    describe("the rest of a task", () => {
      it("has its changes in the order in which they were added", () => {
        insert("t1");
        insert("t2");
        const changes = [
          sampleChange("t1", { at: 9 }),
          sampleChange("t1", { from: "queued", to: "loading", at: 8, rev: 4, reason: "why" }),
          sampleChange("t1", { from: "loading", to: "loading", at: 8, rev: 4, attempt: 2 }),
        ];
        for (const change of changes) store.addChange(change);
        store.addChange(sampleChange("t2"));
        expect(reopened().changes("t1")).toEqual(changes);
        expect(() => store.addChange(sampleChange("nobody"))).toThrow(Error);
      });

      it("records a step once", () => {
        insert("t1");
        insert("t2");
        store.addStep("t1", "b", { n: 1 });
        store.addStep("t1", "a", null);
        store.addStep("t1", "b", { n: 2 });
        store.addStep("t2", "b", { n: 3 });
        expect([...reopened().steps("t1")]).toEqual([
          ["b", { n: 1 }],
          ["a", null],
        ]);
        expect(() => store.addStep("nobody", "b", 1)).toThrow(Error);
      });

      it("goes with the task, and nothing else does", () => {
        for (const id of ["t1", "t2"]) {
          store.insert(sampleTask(id, { ttl: 0 }), { of: id }, { key: id, fingerprint: id });
          store.addEvents([sampleEvent(id, 0), sampleEvent(id, 1)]);
          store.addChange(sampleChange(id));
          store.addStep(id, "s", 1);
        }
        expect([store.remove("t1"), store.remove("t1"), store.remove("nobody")]).toEqual([true, false, false]);
        reopened();
        expect([store.task("t1"), store.input("t1"), store.byIdempotencyKey("a", "t1")]).toEqual(
          Array(3).fill(undefined),
        );
        expect([store.changes("t1"), store.events("t1", -1, 9), [...store.steps("t1")]]).toEqual([[], [], []]);
        expect([store.input("t2"), store.byIdempotencyKey("a", "t2")?.task.id]).toEqual([{ of: "t2" }, "t2"]);
        expect(
          [store.changes("t2"), store.events("t2", -1, 9), [...store.steps("t2")]].map((one) => one.length),
        ).toEqual([1, 2, 1]);
        insert("t1");
        expect([store.changes("t1"), store.events("t1", -1, 9), [...store.steps("t1")]]).toEqual([[], [], []]);
      });
    });

    describe("what is known of all tasks", () => {
      it("is read in pages from the oldest on, whatever was removed", () => {
        insertMany(5);
        store.remove("t1");
        const pages = [0, 1, 3, 5].map((row) => ids(store.tasksAfter(row, 2)));
        expect(pages).toEqual([["t0", "t2"], ["t2", "t3"], ["t3", "t4"], []]);
        expect(reopened().tasksAfter(0, 9)).toEqual(store.tasks({ limit: 9 }).reverse());
      });

      it("includes the key that each was created with", () => {
        const key = { key: "\ud800", fingerprint: '"f' };
        store.insert(sampleTask("t1"), null, key);
        insert("t2");
        expect(["t1", "t2", "nobody"].map((id) => reopened().idempotency(id))).toEqual([key, null, null]);
      });

      it("is the model of the newest task among those asked for", () => {
        expect(store.lastUsedModel(["m"])).toBeUndefined();
        insertMany(5, (index) => ({ model: ["a", "b", "a", "c", null][index] ?? null, createdAt: 9_000 - index }));
        expect(store.lastUsedModel(["a", "b", "c"])).toBe("c");
        expect(store.lastUsedModel(["b", "a"])).toBe("a");
        expect(store.lastUsedModel(["b"])).toBe("b");
        expect([store.lastUsedModel(["d"]), store.lastUsedModel([])]).toEqual([undefined, undefined]);
        store.remove("t3");
        expect(reopened().lastUsedModel(["a", "b", "c"])).toBe("a");
      });

      it("is the highest rev ever written, by whatever wrote it, also when that is gone", () => {
        expect(store.lastRev()).toBe(0);
        insert("t1", { rev: 3 });
        expect(store.lastRev()).toBe(3);
        store.addChange(sampleChange("t1", { rev: 5 }));
        expect(reopened().lastRev()).toBe(5);
        store.addEvents([
          { ...sampleEvent("t1", 1), rev: 8 },
          { ...sampleEvent("t1", 2), rev: 7 },
        ]);
        expect(store.lastRev()).toBe(8);
        store.update("t1", "queued", { rev: 12 });
        store.update("t1", "queued", { rev: 2 });
        store.dropAttempt("t1");
        store.remove("t1");
        expect([store.lastRev(), reopened().lastRev()]).toEqual([12, 12]);
      });
    });

    describe("clients", () => {
      it("are kept by name, replaced, and listed as they came", () => {
        const [first, second] = [
          clientRecord("z"),
          { ...clientRecord("a"), tokenHash: null, lastSeenAt: 5, limits: {} },
        ];
        store.putClient(first);
        store.putClient(second);
        expect(reopened().clients()).toEqual([first, second]);
        const changed = { ...first, tokenHash: "other", limits: { queue: 2 }, createdAt: 7, lastSeenAt: null };
        store.putClient(changed);
        expect(store.clients()).toEqual([changed, second]);
        expect([store.client("z"), store.client("a"), store.client("Z")]).toEqual([changed, second, undefined]);
      });

      it("remember when they were last here; an unknown one is not made up", () => {
        store.putClient(clientRecord("a"));
        store.touchClient("a", 77);
        store.touchClient("b", 78);
        expect(reopened().clients()).toEqual([{ ...clientRecord("a"), lastSeenAt: 77 }]);
      });
    });
  });
}

function clientRecord(name: string): ClientRecord {
  return { name, tokenHash: "00ff", limits: { "limits.queue_per_client": 3 }, createdAt: 1, lastSeenAt: null };
}

/** All that a store can be asked for. */
export function everythingOf(store: TaskStore): unknown {
  const tasks = store.tasks({ limit: 9_999 });
  return {
    tasks: tasks.map((task) => ({
      task,
      input: store.input(task.id),
      idempotency: store.idempotency(task.id),
      changes: store.changes(task.id),
      events: store.events(task.id, -1, 9_999),
      steps: [...store.steps(task.id)],
      questions: store.questions(task.id),
    })),
    oldestFirst: store.tasksAfter(0, 9_999),
    unfinished: store.unfinished(),
    overdue: store.overdue(Number.MAX_SAFE_INTEGER, 9_999),
    nextExpiry: store.nextExpiry(),
    clients: store.clients(),
    lastRev: store.lastRev(),
  };
}
