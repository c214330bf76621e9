import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../../electron/store/database";
import { SqliteStore } from "../../../electron/store/sqlite-store";
import type { TaskEvent } from "../../../shared/event";
import type { Json } from "../../../shared/json";
import type { Question } from "../../../shared/question";
import type { Change, Task } from "../../../shared/task";

/** What the database of a round holds. */
export interface Stored {
  /** What `PRAGMA integrity_check` and `foreign_key_check` find; empty when all is well. */
  readonly damage: readonly string[];
  readonly tasks: readonly StoredTask[];
}

export interface StoredTask extends Task {
  readonly input: Json;
  readonly key: string | null;
  readonly changes: readonly Change[];
  readonly events: readonly TaskEvent[];
  readonly questions: readonly Question[];
}

const all = 1_000_000;

/** Reads beside a host that lives, or after it: a connection that cannot write changes nothing. */
export function readStored(dataDir: string): Stored {
  const database = open(dataDir);
  if (database === undefined) return { damage: [], tasks: [] };
  try {
    // Killed before its tables were made, it is as good as absent.
    const { user_version: version = 0 } = database.get<{ user_version: number }>("PRAGMA user_version") ?? {};
    return { damage: damageOf(database), tasks: version === 0 ? [] : tasksOf(database) };
  } finally {
    database.close();
  }
}

/** What a crash left, read from a copy: whoever opens the file itself first mends it, which is for the next host to do. */
export function readLeft(dataDir: string): Stored {
  const copy = mkdtempSync(join(tmpdir(), "simmer-left-"));
  try {
    for (const name of ["simmer.db", "simmer.db-wal"])
      if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(copy, name));
    return readStored(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Ids and statuses of the tasks that have not ended. */
export function unfinishedIn(dataDir: string): readonly string[] {
  const database = open(dataDir);
  try {
    const rows = database?.all<{ id: string; status: string }>("SELECT id, status FROM tasks WHERE ended_at IS NULL");
    return (rows ?? []).map(({ id, status }) => `${id} is ${status}`);
  } finally {
    database?.close();
  }
}

function open(dataDir: string): Database | undefined {
  const path = join(dataDir, "simmer.db");
  return existsSync(path) ? new Database(path, { timeout: 2_000, readOnly: true }) : undefined;
}

function damageOf(database: Database): string[] {
  const found = database.all<{ integrity_check: string }>("PRAGMA integrity_check");
  const foreign = database.all<{ table: string; parent: string }>("PRAGMA foreign_key_check");
  return [
    ...found.map(({ integrity_check }) => integrity_check).filter((text) => text !== "ok"),
    ...foreign.map(({ table, parent }) => `a row of ${table} has no ${parent}`),
  ];
}

function tasksOf(database: Database): StoredTask[] {
  const store = new SqliteStore(database);
  const keys = new Map(
    database
      .all<{ task: string; key: string }>("SELECT task, key FROM idempotency")
      .map(({ task, key }) => [task, key]),
  );
  return store.tasks({ limit: all }).map((task) => ({
    ...task,
    input: store.input(task.id) ?? null,
    key: keys.get(task.id) ?? null,
    changes: store.changes(task.id),
    events: store.events(task.id, -1, all),
    questions: store.questions(task.id),
  }));
}
