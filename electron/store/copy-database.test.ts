import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { everythingOf } from "./contract";
import { copyDatabase } from "./copy-database";
import { Database, openDatabase } from "./database";
import { migrations } from "./migrations";
import { openForReading } from "./open-for-reading";
import { sampleDelta, sampleEvent, sampleTask } from "./sample";
import { SqliteStore } from "./sqlite-store";

let folder: string;
let path: string;
let copy: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-copy-"));
  [path, copy] = [join(folder, "simmer.db"), join(folder, "copy.db")];
  writeFileSync(copy, "", { mode: 0o600 });
  return () => rmSync(folder, { recursive: true });
});

function open(file = path): SqliteStore {
  const store = new SqliteStore(openDatabase(file).database);
  onTestFinished(() => store.close());
  return store;
}

function add(store: SqliteStore, from: number, count: number): void {
  store.transaction("written", () => {
    for (let index = from; index < from + count; index += 1) {
      const { id } = store.insert(sampleTask(`t${index}`, { rev: index + 1 }), "x".repeat(2_000), null);
      store.addEvents([sampleEvent(id, 0), sampleEvent(id, 1, sampleDelta("word"))]);
    }
  });
}

test("a copy that is made while others write has one moment, all of it, and stands alone", async () => {
  const store = open();
  add(store, 0, 3_000);
  const before = everythingOf(store);
  const copied = copyDatabase(path, copy);
  let written = 0;
  const writing = setInterval(() => add(store, 5_000 + written++, 1), 1);
  expect(await copied).toBe(3_000);
  clearInterval(writing);
  // The event loop went on, and so did the writer: the copy did not begin anew with each commit.
  expect(written).toBeGreaterThan(0);
  expect(store.tasksAfter(3_000, 99_999)).toHaveLength(written);
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"]);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(everythingOf(open(copy))).toEqual(before);
});

test("of what is written but not yet moved into the file, a copy has everything", async () => {
  const store = open();
  add(store, 0, 10);
  expect(readFileSync(path).includes("t9")).toBe(false);
  expect(await copyDatabase(path, copy)).toBe(10);
});

test("a damaged database is not copied", async () => {
  const store = open();
  add(store, 0, 500);
  store.close();
  const bytes = readFileSync(path);
  bytes.fill(0x55, 40_960, 81_920);
  writeFileSync(path, bytes);
  await expect(copyDatabase(path, copy)).rejects.toMatchObject({
    problem: { code: "storage_failed", detail: expect.stringMatching(/simmer\.db.* damaged/) },
  });
});

test("where there is no database, that is said", async () => {
  await expect(copyDatabase(path, copy)).rejects.toThrow(`There are no tasks: ${path} is missing.`);
  expect(() => openForReading(path)).toThrow(`There are no tasks: ${path} is missing.`);
  expect(readdirSync(folder)).toEqual(["copy.db"]);
});

test("a reader sees the moment in which it was opened, and hinders nobody", () => {
  const store = open();
  add(store, 0, 5);
  const reader = openForReading(path);
  onTestFinished(() => reader.close());
  const before = everythingOf(store);
  add(store, 5, 5);
  store.remove("t0");
  store.transaction("synced", () => store.remove("t1"));
  expect(everythingOf(reader)).toEqual(before);
});

test.each([
  [migrations.length + 1, "a newer Simmer"],
  [migrations.length - 1, "an older Simmer"],
])("a database of format %i is of %s, and not read", (format, by) => {
  open().close();
  const other = new Database(path, { timeout: 0 });
  other.exec(`PRAGMA user_version = ${format}`);
  other.close();
  expect(() => openForReading(path)).toThrow(by);
});
