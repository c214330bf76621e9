import { isStorageFailure, ProblemError } from "../../shared/problem";
import type { StorageTrouble } from "../../shared/storage-trouble";
import type { Clock } from "../engine/clock";
import type { Connection, Durability, SqlValue } from "./connection";
import type { Database } from "./database";

/** Milliseconds between two tries to get over a failure. */
const tryEvery = 2_000;
/** Milliseconds that a write waits for another program. While writes fail none waits, which would hold up everything. */
const patience = 2_000;

export interface PatientDatabaseParts {
  /** Throws ProblemError `storage_failed` when there is nothing to open now. */
  readonly open: () => Database;
  /** Whether a disk that was full has room again for more than a page. */
  readonly hasRoom: () => boolean;
  readonly clock: Clock;
  /** Told of each change; null when all is well again. */
  readonly onTrouble: (trouble: StorageTrouble | null) => void;
}

/**
 * A database that may fail and come back, behind one connection that stays. It gets over each failure by itself.
 * - shut (from the start, until it can be opened): each call throws why;
 * - well (until a call fails);
 * - failing (until a page can be written): whatever still works goes on, such as reading from a disk that is full;
 * - closed, for good.
 */
export class PatientDatabase implements Connection {
  readonly #parts: PatientDatabaseParts;
  #database: Database | undefined;
  #trouble: StorageTrouble | null = { state: "shut", detail: "The tasks are not open yet." };
  #told: StorageTrouble | null = null;
  #stopTrying: (() => void) | undefined;

  constructor(parts: PatientDatabaseParts) {
    this.#parts = parts;
  }

  /**
   * Opens it, now or as soon as that is possible. `takeUp` puts it into use, before anybody else can use it; when storage
   * fails it there, it is shut again and taken up anew later.
   */
  start(takeUp: () => void): void {
    this.#try("shut", () => this.#tryToOpen(takeUp));
  }

  get inTransaction(): boolean {
    return this.#database?.inTransaction ?? false;
  }

  exec(sql: string): void {
    this.#use((database) => database.exec(sql));
  }

  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastRow: number } {
    return this.#use((database) => database.run(sql, ...values));
  }

  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#use((database) => database.get<Row>(sql, ...values));
  }

  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#use((database) => database.all<Row>(sql, ...values));
  }

  transaction<T>(durability: Durability, work: () => T): T {
    return this.#use((database) => database.transaction(durability, work));
  }

  close(): void {
    this.#stopTrying?.();
    this.#database?.close();
  }

  #use<T>(work: (database: Database) => T): T {
    if (this.#database === undefined) throw new ProblemError("storage_failed", this.#trouble?.detail ?? "");
    try {
      return work(this.#database);
    } catch (error) {
      if (isStorageFailure(error)) this.#fail(error);
      throw error;
    }
  }

  #fail({ problem }: ProblemError): void {
    if (this.#trouble !== null) return;
    this.#database?.waitAtMost(0);
    this.#tryLater({ state: "failing", detail: problem.detail }, () => this.#tryToWrite());
  }

  #tryToOpen(takeUp: () => void): void {
    try {
      this.#database = this.#parts.open();
      takeUp();
    } catch (error) {
      this.#database?.close();
      this.#database = undefined;
      throw error;
    }
  }

  #tryToWrite(): void {
    if (!this.#parts.hasRoom()) throw new ProblemError("storage_failed", this.#trouble?.detail ?? "");
    this.#database?.tryToWrite();
  }

  /** All is well after it; otherwise it is tried again. */
  #try(state: StorageTrouble["state"], work: () => void): void {
    try {
      work();
      this.#database?.waitAtMost(patience);
      this.#set(null);
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      this.#tryLater({ state, detail: error.problem.detail }, work);
    }
  }

  #tryLater(trouble: StorageTrouble, work: () => void): void {
    this.#set(trouble);
    this.#stopTrying = this.#parts.clock.after(tryEvery, () => this.#try(trouble.state, work));
  }

  #set(trouble: StorageTrouble | null): void {
    this.#trouble = trouble;
    if (this.#told?.state === trouble?.state && this.#told?.detail === trouble?.detail) return;
    this.#told = trouble;
    this.#parts.onTrouble(trouble);
  }
}
