import { join } from "node:path";
import { Database } from "./database";
import { isBusy } from "./sql-errors";

/** Two that start at the same moment get in each other's way for an instant; one of them wins within this time. */
const settleTime = 500;

export interface FolderLock {
  /** Lets the folder go. Idempotent. */
  release(): void;
}

/** Another Simmer serves the same folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";

  constructor(folder: string) {
    super(`Another Simmer is using the folder ${folder}. Stop it, or choose another folder with --data-dir.`);
  }
}

/**
 * Takes the folder for this process alone, for as long as the process lives: the operating system ends the lock with it,
 * however it dies. An open exclusive transaction on a database of its own is such a lock on every system.
 * Nothing else in this process may open `lock.db`: on POSIX, closing a file drops all locks that the process has on it.
 * Throws FolderInUseError, or ProblemError `storage_failed` when the folder cannot be written.
 */
export function lockFolder(folder: string): FolderLock {
  const database = new Database(join(folder, "lock.db"), { timeout: settleTime });
  try {
    // With its journal in memory it writes nothing, so that a full disk does not keep Simmer from starting.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    throw isBusy(error) ? new FolderInUseError(folder) : error;
  }
  return { release: () => database.close() };
}
