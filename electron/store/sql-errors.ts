import { ProblemError } from "../../shared/problem";

const startAgain = "Start Simmer again: it keeps this file under another name and begins a new one.";

/** SQLite's primary result codes that mean the file, the disk or its locks failed: what is wrong, and what to do. */
const mediumFailures: Readonly<Record<number, readonly [what: string, advice: string]>> = {
  5: ["it is in use by another program", "Close that program."],
  8: ["it may not be written", "Let Simmer write there, or choose another data folder."],
  10: ["reading or writing failed", "Check the disk, and the room on it."],
  11: ["it is damaged", startAgain],
  13: ["the disk is full", "Make room on it."],
  14: ["it cannot be opened", "Let Simmer read and write in its folder, and check the room on the disk."],
  26: ["it is not a database", startAgain],
};
const busy = 5;
const damage = new Set([11, 26]);

/** A check of the file's structure found it damaged. */
export class DamagedFileError extends Error {
  override readonly name = "DamagedFileError";
}

/** ProblemError `storage_failed` when the medium failed; anything else is a bug and stays what it is. */
export function asStorageError(error: unknown, path: string): unknown {
  const failure = mediumFailures[resultCode(error)];
  if (failure === undefined) return error;
  const [what, advice] = failure;
  return new ProblemError("storage_failed", `The file ${path} failed: ${what}. ${advice}`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return resultCode(causeOf(error)) === busy;
}

/** True when the file's content is at fault, so that nothing but another file helps. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamagedFileError || damage.has(resultCode(causeOf(error)));
}

function causeOf(error: unknown): unknown {
  return error instanceof ProblemError ? error.cause : error;
}

/** The low byte of the extended code; -1 for an error that is not SQLite's. */
function resultCode(error: unknown): number {
  const code: unknown = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : -1;
}
