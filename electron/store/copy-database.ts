import { backup, DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { DatabasePool } from "@photostructure/sqlite/experimental";
import { z } from "zod";
import { ProblemError } from "../../shared/problem";
import { sizeOf } from "./damaged-file";
import { asStorageError, isDamage } from "./sql-errors";

/** Milliseconds to wait for another connection that just opens or closes the file. */
const busyTimeout = 2_000;
/** In pages: what is copied between two looks at whether the process ends. */
const pagesAtOnce = 1_000;

const verdictRow = z.object({ integrity_check: z.string() });
const countRow = z.object({ tasks: z.number() });

/**
 * Copies the database at `from` into the empty file `to`: all that is committed at this moment, and nothing of what
 * others commit meanwhile. Neither they nor the event loop wait for it. The copy is one file that needs no other beside it,
 * and every page of it has been checked. Returns how many tasks it has. Throws ProblemError `storage_failed`.
 */
export async function copyDatabase(from: string, to: string): Promise<number> {
  if (sizeOf(from) === undefined) throw new ProblemError("storage_failed", `There are no tasks: ${from} is missing.`);
  try {
    await copyPages(from, to);
    return await checkCopy(from, to);
  } catch (error) {
    throw asStorageError(error, isDamage(error) ? from : to);
  }
}

/** Held open, a transaction keeps its moment; without one, the copy would begin anew with each commit of another. */
async function copyPages(from: string, to: string): Promise<void> {
  const source: DatabaseSyncInstance = new DatabaseSync(from, { readOnly: true, timeout: busyTimeout });
  try {
    source.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
    await backup(source, to, { rate: pagesAtOnce });
  } finally {
    source.close();
  }
}

async function checkCopy(from: string, to: string): Promise<number> {
  await using copy = await DatabasePool.open(to, { authorizer: "none" });
  await copy.get("PRAGMA journal_mode = DELETE");
  const { integrity_check: found } = verdictRow.parse(await copy.get("PRAGMA integrity_check(1)"));
  if (found !== "ok") throw new ProblemError("storage_failed", `The file ${from} is damaged: ${found}.`);
  return countRow.parse(await copy.get("SELECT count(*) AS tasks FROM tasks")).tasks;
}
