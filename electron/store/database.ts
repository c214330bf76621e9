import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from "@photostructure/sqlite";
import { ProblemError } from "../../shared/problem";
import type { Connection, Durability, SqlValue } from "./connection";
import { lostItsContent, setAsideFiles, sizeOf } from "./damaged-file";
import { keepCopy } from "./keep-copy";
import { migrations } from "./migrations";
import { asStorageError, DamagedFileError, isDamage } from "./sql-errors";

/** Milliseconds that a start waits for another program; then it goes on without the file, and tries again. */
const busyTimeout = 200;
/** Up to this size a look at every page at each start costs next to nothing. */
const alwaysCheckedBytes = 64 * 1024 * 1024;

/** The only place that knows the driver. Idle, or in the one transaction that it can have open. */
export class Database implements Connection {
  readonly path: string;
  readonly #driver: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();
  #synchronous: "FULL" | "NORMAL" | undefined;
  #inTransaction = false;
  #failure: unknown;

  /** `timeout` is how long to wait for another connection, in milliseconds. */
  constructor(path: string, { timeout, readOnly = false }: { readonly timeout: number; readonly readOnly?: boolean }) {
    this.path = path;
    this.#driver = this.#attempt(() => new DatabaseSync(path, { timeout, readOnly }));
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  exec(sql: string): void {
    this.#attempt(() => this.#driver.exec(sql));
  }

  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastRow: number } {
    const { changes, lastInsertRowid } = this.#attempt(() => this.#statement(sql).run(...values));
    return { changes, lastRow: Number(lastInsertRowid) };
  }

  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#attempt(() => this.#statement(sql).get(...values));
  }

  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#attempt(() => this.#statement(sql).all(...values));
  }

  transaction<T>(durability: Durability, work: () => T): T {
    if (this.#inTransaction) throw new Error("Transactions do not nest");
    this.#setSynchronous(durability === "synced" ? "FULL" : "NORMAL");
    this.run("BEGIN IMMEDIATE");
    this.#inTransaction = true;
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#inTransaction = false;
      this.#failure = undefined;
    }
  }

  /** Milliseconds to wait for another connection. */
  waitAtMost(milliseconds: number): void {
    this.#driver.exec(`PRAGMA busy_timeout = ${milliseconds}`);
  }

  /** Writes a page and changes nothing: throws what any write would. */
  tryToWrite(): void {
    this.transaction("synced", () => this.exec(`PRAGMA user_version = ${versionOf(this)}`));
  }

  /** Moves the log into the file and closes it. Idempotent. */
  close(): void {
    this.#statements.clear();
    if (this.#driver.isOpen) this.#attempt(() => this.#driver.close());
  }

  #statement(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#driver.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** In the log's mode NORMAL syncs at checkpoints only, FULL at each commit too. It cannot change inside a transaction. */
  #setSynchronous(level: "FULL" | "NORMAL"): void {
    if (this.#synchronous === level) return;
    this.exec(`PRAGMA synchronous = ${level}`);
    this.#synchronous = level;
  }

  #attempt<T>(work: () => T): T {
    // SQLite ends a transaction by itself after some failures; what came next would be committed alone.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return work();
    } catch (error) {
      const told = asStorageError(error, this.path);
      if (this.#inTransaction && told !== error) this.#failure = told;
      throw told;
    }
  }

  #rollBack(): void {
    try {
      if (this.#driver.isTransaction) this.#driver.exec("ROLLBACK");
    } catch {
      // The failure that led here is the one to tell; what was not committed is gone at the next start in any case.
    }
  }
}

/**
 * Opens the file, made or brought up to date as needed. A damaged one is kept under the name in `setAside`, and an empty
 * one takes its place. Throws ProblemError `storage_failed` when it is newer than this version, or cannot be used.
 */
export function openDatabase(path: string): { readonly database: Database; readonly setAside: string | null } {
  if (lostItsContent(path)) return openInPlaceOf(path);
  try {
    return { database: openSound(path), setAside: null };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return openInPlaceOf(path);
  }
}

function openInPlaceOf(path: string) {
  const setAside = setAsideFiles(path);
  try {
    return { database: openSound(path), setAside };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const detail = `The tasks were damaged and are kept as ${setAside}. A new file could not be begun: ${error.problem.detail}`;
    throw new ProblemError("storage_failed", detail, { cause: error.cause });
  }
}

function openSound(path: string): Database {
  if (sizeOf(path) !== undefined) inspect(path);
  const database = new Database(path, { timeout: busyTimeout });
  try {
    configure(database);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Looks without touching: closing a connection that may write would move the log into a file that is to be left alone. */
function inspect(path: string): void {
  const size = sizeOf(path) ?? 0;
  const crashed = (sizeOf(`${path}-wal`) ?? 0) > 0;
  const database = new Database(path, { timeout: busyTimeout, readOnly: true });
  try {
    refuseNewer(database);
    if (!crashed) refuseCutOff(database, size);
    if (crashed || size <= alwaysCheckedBytes) refuseDamaged(database);
  } finally {
    database.close();
  }
}

function versionOf(database: Database): number {
  return database.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

function refuseNewer(database: Database): void {
  const version = versionOf(database);
  if (version <= migrations.length) return;
  throw new ProblemError(
    "storage_failed",
    `The file ${database.path} was written by a newer Simmer (its format is ${version}, this version reads up to ` +
      `${migrations.length}). Use the newer Simmer, or another data folder.`,
  );
}

/** A file that was left in order ends with a page. SQLite reads what is missing of the last one as NUL. */
function refuseCutOff(database: Database, size: number): void {
  const pageSize = database.get<{ page_size: number }>("PRAGMA page_size")?.page_size ?? size;
  if (size % pageSize !== 0) throw new DamagedFileError(`The file ${database.path} is cut off after ${size} bytes`);
}

function refuseDamaged(database: Database): void {
  const found = database.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check;
  if (found !== "ok") throw new DamagedFileError(`The file ${database.path} is damaged: ${found}`);
}

function configure(database: Database): void {
  const mode = database.get<{ journal_mode: string }>("PRAGMA journal_mode = WAL")?.journal_mode;
  if (mode !== "wal")
    throw new ProblemError(
      "storage_failed",
      `The file ${database.path} lies where a database cannot keep its log. Choose a data folder on a local disk.`,
    );
  database.exec("PRAGMA foreign_keys = ON; PRAGMA fullfsync = ON; PRAGMA journal_size_limit = 67108864");
  // In pages: hot pages are then moved into the file once for many commits, and a start after a crash stays short.
  database.exec("PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -32768");
}

/**
 * Each step is one transaction with its number, after a copy of what is there is kept. A page is written in any case: a
 * file that may not be written opens for reading without a word, and stays so for as long as it is open.
 */
function migrate(database: Database): void {
  const version = versionOf(database);
  if (version > 0 && version < migrations.length) keepCopy(database, `${database.path}.before-v${migrations.length}`);
  database.tryToWrite();
  for (const [index, sql] of migrations.entries()) {
    if (index < versionOf(database)) continue;
    database.transaction("synced", () => database.exec(`${sql}; PRAGMA user_version = ${index + 1}`));
  }
}
