import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ProblemError } from "../../shared/problem";
import { Database, openDatabase } from "./database";
import { migrations } from "./migrations";
import { sampleDelta, sampleEvent, sampleQuestion, sampleTask } from "./sample";
import { SqliteStore } from "./sqlite-store";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "simmer-store-"));
  path = join(folder, "simmer.db");
  return () => rmSync(folder, { recursive: true });
});

function open(): { database: Database; store: SqliteStore; setAside: string | null } {
  const { database, setAside } = openDatabase(path);
  onTestFinished(() => database.close());
  return { database, store: new SqliteStore(database), setAside };
}

function fill(store: SqliteStore, count: number): void {
  store.transaction("written", () => {
    for (let index = 0; index < count; index += 1) {
      const { id } = store.insert(sampleTask(`t${index}`), "x".repeat(3_000), null);
      store.addEvents([sampleEvent(id, 0), sampleEvent(id, 1, sampleDelta("word"))]);
    }
  });
}

const failure = { problem: { code: "storage_failed" } };
const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("a database", () => {
  it("is new the first time and the same the next; a clean close leaves one file", () => {
    const first = open();
    fill(first.store, 3);
    first.store.close();
    first.store.close();
    expect(readdirSync(folder)).toEqual(["simmer.db"]);
    const second = open();
    expect([first.setAside, second.setAside, second.store.tasks({ limit: 9 }).length]).toEqual([null, null, 3]);
  });

  it("keeps a log, and holds to its references", () => {
    const { database } = open();
    const pragmas = ["journal_mode", "foreign_keys", "user_version"].map((name) => database.get(`PRAGMA ${name}`));
    expect(pragmas).toEqual([{ journal_mode: "wal" }, { foreign_keys: 1 }, { user_version: migrations.length }]);
    expect(
      database.all(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite%'",
      ),
    ).toEqual([]);
  });

  it("syncs a commit when it must be synced, and only then", () => {
    const { database } = open();
    const level = (durability: "synced" | "written") =>
      database.transaction(durability, () => database.get<{ synchronous: number }>("PRAGMA synchronous")?.synchronous);
    const [normal, full] = [1, 2];
    const levels = (["written", "synced", "synced", "written", "synced"] as const).map(level);
    expect(levels).toEqual([normal, full, full, normal, full]);
  });

  it("refuses a newer format in words, and leaves the file as it is", () => {
    const newer = open().database;
    newer.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    newer.close();
    const before = readFileSync(path);
    const error = thrownBy(() => openDatabase(path));
    expect(error).toMatchObject(failure);
    expect((error as Error).message).toMatch(/newer Simmer .*another data folder/);
    expect((error as Error).message).toContain(path);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes("damaged"))).toEqual([]);
  });
});

describe("a file of format 1", () => {
  const statuses = ["running", "cancelling", "failed"] as const;

  function leaveFormat1(): void {
    const old = new Database(path, { timeout: 0 });
    old.exec(`PRAGMA journal_mode = WAL; ${migrations[0]}; PRAGMA user_version = 1`);
    const rows = statuses.map(
      (
        one,
      ) => `('${one}', 'a', 'lmsp', 1, 'respond', 'Hello', 'm', '${one}', 'retry', 2, 1000, 1500, 'resp_${one}', 600,
        3, 0, 7)`,
    );
    old.exec(
      `INSERT INTO tasks (id, client, origin, listed, job, title, model, status, on_restart, attempt, created_at,
        updated_at, response_id, ttl, last_seq, events_expired, rev) VALUES ${rows}`,
    );
    old.exec("INSERT INTO events VALUES ('running', 0, 7, 1000, '{\"type\":\"created\"}')");
    old.exec("INSERT INTO inputs VALUES ('running', '{\"n\":1}')");
    old.exec("UPDATE counters SET value = 7");
    old.close();
  }

  const kept = () => `${path}.before-v${migrations.length}`;

  it("is kept as it was before it is brought up to date, once", () => {
    leaveFormat1();
    open().store.remove("failed");
    const copy = new Database(kept(), { timeout: 0, readOnly: true });
    onTestFinished(() => copy.close());
    expect([copy.get("PRAGMA user_version"), copy.get("SELECT count(*) AS tasks FROM tasks")]).toEqual([
      { user_version: 1 },
      { tasks: 3 },
    ]);
    expect(statSync(kept()).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
    const before = readFileSync(kept());
    rmSync(path);
    leaveFormat1();
    open();
    expect(readFileSync(kept()).equals(before)).toBe(true);
  });

  it("stays as it is when no copy can be kept", () => {
    leaveFormat1();
    const before = readFileSync(path);
    mkdirSync(`${kept()}.partial`);
    expect(thrownBy(open)).toMatchObject({
      problem: { code: "storage_failed", detail: expect.stringContaining(kept()) },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("opens with its tasks, which answer nothing and of which no face remembers anything", () => {
    leaveFormat1();
    const { database, store, setAside } = open();
    expect([setAside, database.get("PRAGMA user_version")]).toEqual([null, { user_version: migrations.length }]);
    const given = {
      caller: null,
      onRestart: "retry",
      attempt: 2,
      updatedAt: 1_500,
      ttl: 600,
      lastSeq: 3,
      rev: 7,
    } as const;
    expect(store.tasks({ limit: 9 }).toReversed()).toEqual(
      statuses.map((status, index) => ({
        ...sampleTask(status, { ...given, status }),
        row: index + 1,
        answers: [],
        faceData: null,
      })),
    );
    expect([store.input("running"), store.events("running", -1, 9).length, store.lastRev()]).toEqual([{ n: 1 }, 1, 7]);
    expect(database.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  });

  it("has its old tasks become overdue and ask questions like new ones", () => {
    leaveFormat1();
    const { store } = open();
    expect([store.nextExpiry(), store.overdue(1_599, 9)]).toEqual([1_600, []]);
    expect(store.overdue(1_600, 9).map(({ id }) => id)).toEqual(["running"]);
    store.addQuestion(sampleQuestion("running", "q1"));
    store.close();
    expect(open().store.questions("running")).toEqual([sampleQuestion("running", "q1")]);
  });
});

describe("a damaged file", () => {
  const damages: readonly (readonly [string, (size: number) => void])[] = [
    ["truncated to nothing", () => truncateSync(path, 0)],
    ["truncated to half", (size) => truncateSync(path, size / 2)],
    ["filled with NUL", (size) => writeFileSync(path, Buffer.alloc(size))],
    [
      "filled with NUL from the middle",
      (size) => writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, size / 2), Buffer.alloc(size / 2)])),
    ],
    ["something else", () => writeFileSync(path, "{}".repeat(5_000))],
  ];

  it.each([...damages, ["cut inside its last page", (size: number) => truncateSync(path, size - 1_000)] as const])(
    "that was %s after a clean stop is set aside and kept, and a new one works",
    (_, damage) => {
      const before = open();
      fill(before.store, 60);
      before.store.close();
      damage(statSync(path).size);
      const damaged = readFileSync(path);
      expectNewOne(damaged);
    },
  );

  it.each(damages)("that was %s after a crash is set aside with its log, and a new one works", (_, damage) => {
    leaveAsACrashWould();
    damage(statSync(path).size);
    const [damaged, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    const kept = expectNewOne(damaged);
    expect(readFileSync(`${kept}-wal`).equals(log)).toBe(true);
  });

  it("that is gone while its log is there leaves the log kept", () => {
    leaveAsACrashWould();
    const log = readFileSync(`${path}-wal`);
    rmSync(path);
    const { store, setAside } = open();
    expect(readFileSync(`${setAside}-wal`).equals(log)).toBe(true);
    expect(store.tasks({ limit: 9 })).toEqual([]);
  });

  it("does not hide an earlier one that was set aside", () => {
    const kept = [1, 2, 3].map((round) => {
      writeFileSync(path, `damaged ${round}`.repeat(100));
      const { database, setAside } = openDatabase(path);
      database.close();
      return setAside ?? "";
    });
    expect(kept.map((name) => readFileSync(name, "utf8").slice(0, 9))).toEqual(["damaged 1", "damaged 2", "damaged 3"]);
  });

  it("is not what a crash leaves: that opens with everything", () => {
    leaveAsACrashWould();
    const { store, setAside } = open();
    expect([setAside, store.tasks({ limit: 99 }).length]).toEqual([null, 90]);
  });

  /** The files as they lie while the store is open, its last writes only in the log. */
  function leaveAsACrashWould(): void {
    const living = join(folder, "living.db");
    const { database } = openDatabase(living);
    const store = new SqliteStore(database);
    fill(store, 60);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    store.transaction("written", () => {
      for (let index = 60; index < 90; index += 1) store.insert(sampleTask(`t${index}`), "y".repeat(3_000), null);
    });
    for (const ending of ["", "-wal"]) copyFileSync(`${living}${ending}`, `${path}${ending}`);
    store.close();
  }

  function expectNewOne(damaged: Buffer): string {
    const { database, store, setAside } = open();
    if (setAside === null) throw new Error("Nothing was set aside");
    expect(readFileSync(setAside).equals(damaged)).toBe(true);
    expect(store.tasks({ limit: 9 })).toEqual([]);
    fill(store, 2);
    expect(database.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
    store.close();
    expect(open()).toMatchObject({ setAside: null });
    return setAside;
  }
});

describe("a failing medium", () => {
  it("that is full keeps nothing of the transaction, says so, and works again with room", () => {
    const { database, store } = open();
    fill(store, 2);
    const full = database.get<{ page_count: number }>("PRAGMA page_count")?.page_count;
    database.get(`PRAGMA max_page_count = ${full}`);
    const create = (id: string) =>
      store.transaction("synced", () => store.insert(sampleTask(id, { rev: 9 }), "x".repeat(99_999), null));
    const error = thrownBy(() => create("t2"));
    expect(error).toMatchObject(failure);
    expect((error as ProblemError).problem.detail).toMatch(/simmer\.db failed: the disk is full/);
    expect([store.tasks({ limit: 9 }).length, store.lastRev()]).toEqual([2, 2]);
    database.get("PRAGMA max_page_count = 1000000");
    expect(create("t3").id).toBe("t3");
    expect(database.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  });

  it("is found by a write that changes nothing, down to the disk", () => {
    const { database, store } = open();
    fill(store, 1);
    const logged = () => statSync(`${path}-wal`).size;
    const [before, tasks] = [logged(), store.tasks({ limit: 9 })];
    database.tryToWrite();
    expect(logged()).toBeGreaterThan(before);
    expect([database.get("PRAGMA user_version"), store.tasks({ limit: 9 })]).toEqual([
      { user_version: migrations.length },
      tasks,
    ]);
    database.exec("PRAGMA query_only = ON");
    expect(thrownBy(() => database.tryToWrite())).toMatchObject(failure);
  });

  it("cannot be caught inside the transaction, which is lost", () => {
    const { database, store } = open();
    fill(store, 1);
    const full = database.get<{ page_count: number }>("PRAGMA page_count")?.page_count;
    database.get(`PRAGMA max_page_count = ${full}`);
    const work = () => {
      expect(() => store.insert(sampleTask("big"), "x".repeat(99_999), null)).toThrow(ProblemError);
      expect(() => store.putClient({ name: "c", tokenHash: null, limits: {}, createdAt: 1, lastSeenAt: null })).toThrow(
        ProblemError,
      );
    };
    expect(() => store.transaction("written", work)).toThrow(ProblemError);
    database.get("PRAGMA max_page_count = 1000000");
    expect([store.tasks({ limit: 9 }).length, store.clients()]).toEqual([1, []]);
  });

  it("that may not be written, is in use or is not there is told from a bug", () => {
    const { database, store } = open();
    database.exec("PRAGMA query_only = ON");
    expect(thrownBy(() => fill(store, 1))).toMatchObject(failure);
    database.exec("PRAGMA query_only = OFF");
    const other = new Database(path, { timeout: 0 });
    onTestFinished(() => other.close());
    database.transaction("written", () => {
      expect(thrownBy(() => other.transaction("written", () => 1))).toMatchObject(failure);
    });
    expect(other.transaction("written", () => 1)).toBe(1);
    expect(thrownBy(() => openDatabase(join(folder, "none", "simmer.db")))).toMatchObject(failure);
    expect(thrownBy(() => openDatabase(folder))).toMatchObject(failure);
    expect(existsSync(folder)).toBe(true);
  });

  it("is not blamed for a bug", () => {
    const { database, store } = open();
    for (const bug of [
      () => database.exec("SELEC 1"),
      () => store.addEvents([sampleEvent("nobody", 0)]),
      () => database.run("INSERT INTO counters VALUES ('rev', 1)"),
    ]) {
      const error = thrownBy(bug);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(ProblemError);
    }
    store.close();
    expect(thrownBy(() => store.task("t"))).not.toBeInstanceOf(ProblemError);
  });
});
