import { ProblemError } from "../../shared/problem";
import { sizeOf } from "./damaged-file";
import { Database } from "./database";
import { migrations } from "./migrations";
import { SqliteStore } from "./sqlite-store";

/** Milliseconds to wait for another connection that just opens or closes the file. */
const busyTimeout = 2_000;

/**
 * The tasks as they are at this moment, for whoever reads them while others go on writing. To be closed soon: what is
 * written meanwhile has to wait in the log. Throws ProblemError `storage_failed`, also when the file is of another format.
 */
export function openForReading(path: string): SqliteStore {
  if (sizeOf(path) === undefined) throw new ProblemError("storage_failed", `There are no tasks: ${path} is missing.`);
  const database = new Database(path, { timeout: busyTimeout, readOnly: true });
  try {
    database.exec("BEGIN");
    refuseOtherFormat(path, database.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0);
    return new SqliteStore(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseOtherFormat(path: string, format: number): void {
  if (format === migrations.length) return;
  const by = format > migrations.length ? "a newer Simmer; use that one" : "an older Simmer; start this one on it once";
  throw new ProblemError("storage_failed", `The file ${path} was written by ${by}.`);
}
