import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, expectTypeOf, it, test } from "vitest";
import type { EventBody } from "../../shared/event";
import { isTerminal } from "../../shared/lifecycle";
import { ProblemError } from "../../shared/problem";
import type { Question } from "../../shared/question";
import type { Change, Task } from "../../shared/task";
import { newIds } from "../engine/ids";
import { Ledger } from "../engine/ledger";
import type { TaskStore } from "../engine/store";
import { TestClock } from "../engine/test-clock";
import { openDatabase } from "../store/database";
import { MemoryStore } from "../store/memory-store";
import { sampleChange, sampleDelta, sampleEvent, sampleQuestion, sampleTask } from "../store/sample";
import { SqliteStore } from "../store/sqlite-store";
import type { ArchiveLine, LineOf } from "./format";
import { type ImportTarget, importArchive } from "./import-archive";
import { fillStore, sampleId, storeContent } from "./test-tasks";
import { archiveChunks } from "./write-archive";

const folder = mkdtempSync(join(tmpdir(), "simmer-archive-"));
const path = join(folder, "export.jsonl");
const { signal } = new AbortController();

afterAll(() => rmSync(folder, { recursive: true }));

async function exported(store: TaskStore): Promise<string> {
  let text = "";
  for await (const chunk of archiveChunks(store, { version: "1.2.3", at: 0, settings: { port: 1 } }, signal))
    text += chunk;
  return text;
}

function targetOf(store: TaskStore): ImportTarget {
  const clock = new TestClock();
  const ids = newIds(() => clock.now());
  const ledger = new Ledger(store, clock, ids, () => undefined);
  ledger.load();
  return {
    adopt: (records) => ledger.adopt(records).length,
    addClient: (client) => {
      if (store.client(client.name) === undefined) store.putClient({ ...client, tokenHash: null });
    },
  };
}

async function imported(text: string | Uint8Array, store: TaskStore) {
  writeFileSync(path, text);
  return await importArchive(path, targetOf(store), signal);
}

const linesIn = (text: string) => text.trimEnd().split("\n");

/** A store with one of everything. */
function filled(): MemoryStore {
  const store = new MemoryStore();
  store.putClient({ name: "a", tokenHash: "5ec3e7", limits: {}, createdAt: 1, lastSeenAt: null });
  const [first, second] = [sampleId(1), sampleId(2)];
  const outcome = { kind: "cancelled", reason: "no" } as const;
  store.insert(sampleTask(first, { status: "cancelled", outcome, lastSeq: 2 }), { text: "Hi" }, null);
  store.addChange(sampleChange(first));
  store.addEvents([sampleEvent(first, 0), sampleEvent(first, 1, sampleDelta("x")), sampleEvent(first, 2)]);
  store.addStep(first, "s", 1);
  store.addQuestion(sampleQuestion(first, "q_1"));
  store.insert(sampleTask(second, { rev: 9 }), null, { key: "k", fingerprint: "f" });
  return store;
}

describe("an export that is imported", () => {
  it("is the same again, whatever the store holds, and has no secret in it", async () => {
    let files = 0;
    await fc.assert(
      fc.asyncProperty(storeContent, async (content) => {
        const [from, twice] = [new MemoryStore(), new MemoryStore()];
        fillStore(from, content);
        files += 1;
        const into = new SqliteStore(openDatabase(join(folder, `${files}.db`)).database);
        try {
          const text = await exported(from);
          expect(text).not.toContain("5ec3e7");
          expect(await imported(text, into)).toEqual({ added: content.tasks.length, known: 0 });
          const again = await exported(into);
          expect(endedIn(again)).toEqual(endedIn(text));
          await imported(again, twice);
          expect(linesIn(await exported(twice))).toEqual(linesIn(again));
        } finally {
          into.close();
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it("changes nothing the second time", async () => {
    const [text, store] = [await exported(filled()), new MemoryStore()];
    expect(await imported(text, store)).toEqual({ added: 2, known: 0 });
    const once = await exported(store);
    expect(await imported(text, store)).toEqual({ added: 0, known: 2 });
    expect(await exported(store)).toBe(once);
  });

  it("leaves what is there as it is, and comes after it", async () => {
    const store = new MemoryStore();
    store.putClient({ name: "a", tokenHash: "mine", limits: { x: 1 }, createdAt: 5, lastSeenAt: 6 });
    const there = store.insert(sampleTask(sampleId(2), { title: "Mine", rev: 70 }), "mine", null);
    expect(await imported(await exported(filled()), store)).toEqual({ added: 1, known: 1 });
    expect([store.task(there.id), store.input(there.id)]).toEqual([there, "mine"]);
    expect(store.client("a")?.tokenHash).toBe("mine");
    expect(store.task(sampleId(1))).toMatchObject({ row: 2, rev: 73 });
  });

  it("is taken in whole by a store that holds many, in batches", async () => {
    const from = new MemoryStore();
    for (let index = 0; index < 350; index += 1)
      from.insert(
        sampleTask(sampleId(index), { status: "cancelled", outcome: { kind: "cancelled", reason: "" } }),
        index,
        null,
      );
    const sizes: number[] = [];
    const store = new MemoryStore();
    const target = targetOf(store);
    writeFileSync(path, await exported(from));
    const adopt: ImportTarget["adopt"] = (records) => {
      sizes.push(records.length);
      return target.adopt(records);
    };
    expect(await importArchive(path, { ...target, adopt }, signal)).toEqual({ added: 350, known: 0 });
    expect(sizes).toEqual([100, 100, 100, 50]);
    expect(store.tasksAfter(0, 999).map(({ id }) => store.input(id))).toEqual(Array.from({ length: 350 }, (_, n) => n));
  });

  it("keeps what was taken in when storage fails, says how much, and goes on the next time", async () => {
    const from = new MemoryStore();
    for (let index = 0; index < 250; index += 1)
      from.insert(
        sampleTask(sampleId(index), { status: "cancelled", outcome: { kind: "cancelled", reason: "" } }),
        index,
        null,
      );
    const store = new FullStore();
    store.room = 150;
    const text = await exported(from);
    await expect(imported(text, store)).rejects.toMatchObject({
      problem: { code: "storage_failed", detail: expect.stringContaining("stopped after 100 tasks") },
    });
    expect(store.tasksAfter(0, 999)).toHaveLength(100);
    store.room = 999;
    expect(await imported(text, store)).toEqual({ added: 150, known: 100 });
  });
});

describe("a file that is not right is refused with the number of the line, and nothing is changed:", () => {
  async function refusalOf(text: string | Uint8Array): Promise<string> {
    const store = new MemoryStore();
    const error = await imported(text, store).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ problem: { code: "invalid_request" } });
    expect([store.tasks({ limit: 9 }), store.clients(), store.lastRev()]).toEqual([[], [], 0]);
    return String((error as Error).message).replace(/^.*nothing is changed\. /, "");
  }

  it("cut off after any of its lines, and anywhere within one", async () => {
    const text = await exported(filled());
    const ends = [...text].flatMap((character, index) => (character === "\n" ? [index] : []));
    expect(ends.length).toBeGreaterThan(10);
    for (const end of ends.slice(0, -1)) expect(await refusalOf(text.slice(0, end))).toMatch(/cut off after line \d+/);
    for (let cut = 1; cut < text.length - 1; cut += 13) await refusalOf(text.slice(0, cut));
    expect(await refusalOf("")).toMatch(/The file is empty/);
  });

  it("with any of its bytes flipped", async () => {
    const bytes = Buffer.from(await exported(filled()));
    for (let place = 0; place < bytes.length - 1; place += 7) {
      const damaged = Buffer.from(bytes);
      damaged[place] = (damaged[place] ?? 0) ^ 1;
      expect(await refusalOf(damaged), `at byte ${place}`).toMatch(/[Ll]ine \d+/);
    }
  });

  const at =
    (type: ArchiveLine["type"] | "header", change: (line: Record<string, unknown>) => unknown) => (lines: string[]) =>
      lines.map((line) => {
        const value = JSON.parse(line);
        return value.type === type ? JSON.stringify(change(value)) : line;
      });
  const without = (type: string) => (lines: string[]) => lines.filter((line) => !line.startsWith(`{"type":"${type}"`));

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ["another file", () => ["hello"], /Line 1 is not JSON/],
    ["other JSON", () => ["{}"], /Line 1 is not the header of an export/],
    [
      "a newer version",
      at("header", (line) => ({ ...line, version: 2 })),
      /Line 1 says .* version 2 .* Simmer 1\.2\.3/,
    ],
    ["a line that is not JSON", (lines) => lines.with(3, "{"), /Line 4 is not JSON/],
    ["an unknown line", (lines) => lines.with(3, '{"type":"secret"}'), /Line 4 is not understood at "type"/],
    ["a status that there is not", at("task", (line) => ({ ...line, status: "done" })), /Line 4 .* at "status"/],
    [
      "an id that is a path",
      at("task", (line) => ({ ...line, id: "task_../../x" })),
      /Line 4 .* at "id": is not the id/,
    ],
    ["a client with a strange name", at("client", (line) => ({ ...line, name: "a b" })), /Line 3 .* at "name"/],
    ["a token among the clients", at("client", (line) => ({ ...line, tokenHash: "00" })), /Line 3 is not understood/],
    [
      "no outcome of an end",
      at("task", (line) => ({ ...line, outcome: null })),
      /Line 4 has no outcome .* "cancelled"/,
    ],
    [
      "an unknown problem",
      at("task", (line) => ({ ...line, outcome: { kind: "error", problem: { code: "toString", detail: "" } } })),
      /Line 4 .* at "outcome\.problem\.code"/,
    ],
    [
      "an input of another task",
      at("input", (line) => ({ ...line, task: sampleId(7) })),
      /Line 5 belongs to task_0*7,/,
    ],
    ["no input", without("input"), /Line \d+ stands where the input of task_0*1 is missing/],
    ["no task", without("task"), /Line 4 belongs to task_0*1, but follows no task/],
    ["a commit that jumps", at("change", (line) => ({ ...line, commit: 3 })), /Line 6 has the commit 3/],
    ["an event twice", at("event", (line) => ({ ...line, seq: 0 })), /Line 8 has the seq 0 out of order/],
    ["an event after the last", at("event", (line) => ({ ...line, seq: 9 })), /Line 7 has the seq 9 out of order/],
    [
      "an endless nest",
      (lines) =>
        lines.with(4, `{"type":"input","task":"${sampleId(1)}","input":${"[".repeat(9_999)}${"]".repeat(9_999)}}`),
      /Line 5 .* nested too deeply/,
    ],
    ["a wrong count", at("end", (line) => ({ ...line, tasks: 3 })), /Line \d+ counts 3 tasks, but there are 2/],
    ["another checksum", at("step", (line) => ({ ...line, outcome: 2 })), /Line \d+ has another checksum/],
    ["something after the end", (lines) => [...lines, '{"type":"settings","settings":{}}'], /Line \d+ follows the end/],
    ["a second input", (lines) => lines.toSpliced(5, 0, lines[4] ?? ""), /Line 6 is a second input/],
    [
      "a question twice",
      (lines) => lines.flatMap((line) => (line.includes('"question"') ? [line, line] : [line])),
      /repeats the question q_1/,
    ],
    [
      "a step twice",
      (lines) => lines.flatMap((line) => (line.includes('"step"') ? [line, line] : [line])),
      /repeats the step "s"/,
    ],
  ])("%s", async (_, change, words) => {
    expect(await refusalOf(`${change(linesIn(await exported(filled()))).join("\n")}\n`)).toMatch(words);
  });

  it("bytes that are no UTF-8", async () => {
    const text = await exported(filled());
    expect(await refusalOf(Buffer.from(text.replace('"Hello"', '"\u00ff"'), "latin1"))).toMatch(
      /Line 4 is not JSON in UTF-8/,
    );
  });

  it("no file, or a folder", async () => {
    const target = targetOf(new MemoryStore());
    await expect(importArchive(join(folder, "none"), target, signal)).rejects.toThrow(
      "none cannot be read: there is no such",
    );
    await expect(importArchive(folder, target, signal)).rejects.toThrow("is not a file");
  });
});

test("a file that somebody else wrote may leave the checksum out", async () => {
  const lines = linesIn(await exported(filled()));
  const end = JSON.stringify({ type: "end", tasks: 2 });
  expect(await imported(lines.with(-1, end).join("\n"), new MemoryStore())).toEqual({ added: 2, known: 0 });
});

test("the lines have all that the vocabulary has", () => {
  type Shape<U extends { type: string }> = { [T in U["type"]]: keyof Extract<U, { type: T }> };
  expectTypeOf<Shape<LineOf<"event">["body"]>>().toEqualTypeOf<Shape<EventBody>>();
  expectTypeOf<Exclude<keyof LineOf<"task">, "type" | "idempotency">>().toEqualTypeOf<
    Exclude<keyof Task, "row" | "rev">
  >();
  expectTypeOf<Exclude<keyof LineOf<"question">, "type" | "task">>().toEqualTypeOf<Exclude<keyof Question, "taskId">>();
  expectTypeOf<Exclude<keyof LineOf<"change">, "type" | "task" | "commit">>().toEqualTypeOf<
    Exclude<keyof Change, "taskId" | "rev">
  >();
});

/** What is said of tasks that had ended already, and of clients. */
function endedIn(text: string): unknown[] {
  const lines = linesIn(text).map((line) => JSON.parse(line));
  const unfinished = new Set(
    lines.filter(({ type, status }) => type === "task" && !isTerminal(status)).map(({ id }) => id),
  );
  const endedByImport = new Set(
    lines
      .filter(({ type, reason }) => type === "change" && reason === "imported before it had ended")
      .map(({ task }) => task),
  );
  const isMeant = (id: string) => !unfinished.has(id) && !endedByImport.has(id);
  return lines.filter(({ type, id, task }) => type !== "end" && isMeant(type === "task" ? id : task));
}

/** A store whose disk is full after so many tasks. */
class FullStore extends MemoryStore {
  room = 0;

  override insert(...given: Parameters<MemoryStore["insert"]>): Task {
    if (this.tasksAfter(0, 9_999).length >= this.room) throw new ProblemError("storage_failed", "The disk is full.");
    return super.insert(...given);
  }
}
