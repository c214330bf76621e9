import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { ProblemError } from "../../shared/problem";
import type { Connection } from "./connection";
import { isDamage } from "./sql-errors";

/**
 * Keeps the database as it is under another name, before it is changed for good. Where there is such a file it stays. Throws
 * ProblemError `storage_failed` when it cannot be kept: then nothing may be changed either.
 */
export function keepCopy(database: Connection, name: string): void {
  if (existsSync(name)) return;
  const draft = `${name}.partial`;
  try {
    rmSync(draft, { force: true }); // of a start that was cut short
    closeSync(openSync(draft, "wx", 0o600));
    database.run("VACUUM INTO ?", draft);
    sync(draft);
    renameSync(draft, name);
  } catch (error) {
    if (isDamage(error)) throw error;
    const reason =
      error instanceof ProblemError ? error.problem.detail : error instanceof Error ? error.message : String(error);
    const detail = `A copy of the tasks, ${name}, could not be made before they are brought up to date. ${reason}`;
    throw new ProblemError("storage_failed", detail, { cause: error });
  } finally {
    discard(draft);
  }
}

function discard(draft: string): void {
  try {
    for (const ending of ["", "-journal"]) rmSync(`${draft}${ending}`, { force: true });
  } catch {
    // The failure that led here is the one to tell; the next time begins with this.
  }
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
