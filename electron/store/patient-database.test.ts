import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ProblemError } from "../../shared/problem";
import type { StorageTrouble } from "../../shared/storage-trouble";
import { TestClock } from "../engine/test-clock";
import { Database, openDatabase } from "./database";
import { PatientDatabase } from "./patient-database";
import { sampleTask } from "./sample";
import { SqliteStore } from "./sqlite-store";

let path: string;
let clock: TestClock;
let told: (StorageTrouble | null)[];
/** What is in the way of opening it. */
let obstacle: Error | undefined;
let hasRoom: boolean;
/** The one that was opened last. */
let opened: Database | undefined;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "simmer-store-"));
  path = join(folder, "simmer.db");
  clock = new TestClock();
  told = [];
  obstacle = undefined;
  hasRoom = true;
  opened = undefined;
  return () => rmSync(folder, { recursive: true });
});

function prepare(): { patient: PatientDatabase; store: SqliteStore } {
  const patient = new PatientDatabase({
    open() {
      if (obstacle !== undefined) throw obstacle;
      opened = openDatabase(path).database;
      return opened;
    },
    hasRoom: () => hasRoom,
    clock,
    onTrouble: (trouble) => told.push(trouble),
  });
  onTestFinished(() => patient.close());
  return { patient, store: new SqliteStore(patient) };
}

function insert(store: SqliteStore, id: string): void {
  store.transaction("synced", () => store.insert(sampleTask(id, { rev: 7 }), "x".repeat(99_999), null));
}

const full = new ProblemError("storage_failed", "The disk is full.");
const shut = { state: "shut", detail: "The disk is full." };
const storageFailed = expect.objectContaining({ problem: expect.objectContaining({ code: "storage_failed" }) });

test("a database that cannot be opened says why to every call, and is opened once it can be", () => {
  const { patient, store } = prepare();
  obstacle = full;
  patient.start(() => insert(store, "first"));
  for (const call of [() => store.tasks({ limit: 9 }), () => store.lastRev(), () => insert(store, "t")])
    expect(call).toThrow("The disk is full.");
  clock.advance(60_000);
  expect(told).toEqual([shut]);
  obstacle = undefined;
  clock.advance(2_000);
  expect(told).toEqual([shut, null]);
  // What takes it up comes before anybody else.
  expect([store.tasks({ limit: 9 }).map(({ id }) => id), store.lastRev()]).toEqual([["first"], 7]);
});

test("a database that fails while it is taken up is shut again, and taken up anew", () => {
  const { patient, store } = prepare();
  let tries = 0;
  patient.start(() => {
    tries += 1;
    insert(store, `t${tries}`);
    if (tries < 3) throw full;
  });
  expect(() => store.task("t1")).toThrow(storageFailed);
  expect(() => opened?.exec("SELECT 1")).toThrow("not open");
  clock.advance(4_000);
  expect([tries, told, store.tasks({ limit: 9 }).length]).toEqual([3, [shut, null], 3]);
});

test("what no patience helps with ends the start", () => {
  const { patient } = prepare();
  obstacle = new Error("Another Simmer is using the folder");
  expect(() => patient.start(() => undefined)).toThrow("Another Simmer");
  expect(told).toEqual([]);
});

// Case B79.
test("a disk that gets full refuses what is new, gives what is there, and works again once there is room", () => {
  const { patient, store } = prepare();
  patient.start(() => insert(store, "t1"));
  const pages = opened?.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
  opened?.get(`PRAGMA max_page_count = ${pages}`);
  hasRoom = false;
  for (const id of ["t2", "t3"]) expect(() => insert(store, id)).toThrow(storageFailed);
  expect(store.tasks({ limit: 9 }).map(({ id }) => id)).toEqual(["t1"]);
  clock.advance(60_000);
  expect(told).toEqual([{ state: "failing", detail: expect.stringMatching(/the disk is full.*Make room/) }]);
  opened?.get("PRAGMA max_page_count = 100000");
  hasRoom = true;
  insert(store, "t4");
  expect(told).toHaveLength(1);
  clock.advance(2_000);
  expect(told.slice(1)).toEqual([null]);
  expect(store.tasks({ limit: 9 }).map(({ id }) => id)).toEqual(["t4", "t1"]);
});

test("a database that another program locks is waited for once; then nothing else is held up by it", () => {
  const { patient, store } = prepare();
  patient.start(() => insert(store, "t1"));
  opened?.waitAtMost(1);
  const other = new Database(path, { timeout: 0 });
  other.exec("BEGIN IMMEDIATE");
  expect(() => insert(store, "t2")).toThrow("in use by another program. Close that program");
  expect(opened?.get("PRAGMA busy_timeout")).toEqual({ timeout: 0 });
  expect(store.task("t1")?.id).toBe("t1");
  clock.advance(10_000);
  expect(told).toHaveLength(1);
  other.close();
  clock.advance(2_000);
  expect([told[1], opened?.get("PRAGMA busy_timeout")]).toEqual([null, { timeout: 2_000 }]);
  insert(store, "t3");
});

test("a bug is no trouble of storage", () => {
  const { patient, store } = prepare();
  patient.start(() => insert(store, "t1"));
  expect(() => insert(store, "t1")).toThrow(Error);
  expect(told).toEqual([]);
});

test("a database that was closed is not opened any more", () => {
  const { patient } = prepare();
  obstacle = full;
  patient.start(() => undefined);
  patient.close();
  obstacle = undefined;
  clock.advance(60_000);
  expect([opened, told]).toEqual([undefined, [shut]]);
});
