import { existsSync, renameSync, statSync } from "node:fs";
import { ProblemError } from "../../shared/problem";

/** What SQLite keeps beside the file while it is open, or after a crash. */
const companions = ["-wal", "-shm"];

/** In bytes; undefined when there is no such file. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/**
 * True for a file that is empty, or gone while its log is there. SQLite takes both for a new database, without a word,
 * and deletes the log.
 */
export function lostItsContent(path: string): boolean {
  const size = sizeOf(path);
  return size === 0 || (size === undefined && (sizeOf(`${path}-wal`) ?? 0) > 0);
}

/**
 * Renames the file and its companions, which stay together, and returns the new name. The file goes first: after a crash
 * in between, the next start finds a log without its file and sets that aside too. Throws ProblemError `storage_failed`.
 */
export function setAsideFiles(path: string): string {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const kept = freeName(`${path}.damaged-${stamp}`);
  try {
    for (const ending of ["", ...companions])
      if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${kept}${ending}`);
    return kept;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `The file ${path} is damaged and cannot be set aside (${reason}). Let Simmer write in its folder.`;
    throw new ProblemError("storage_failed", detail, { cause: error });
  }
}

function freeName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!["", ...companions].some((ending) => existsSync(`${name}${ending}`))) return name;
  }
}
