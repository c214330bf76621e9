import { ProblemError } from "../../shared/problem";

/** SQLite's primary result codes that mean the file, the disk or its locks failed, in words for the person. */
const mediumFailures: Readonly<Record<number, string>> = {
  5: "it is in use by another program",
  8: "it may not be written",
  10: "reading or writing failed",
  11: "it is damaged",
  13: "the disk is full",
  14: "it cannot be opened",
  26: "it is not a database",
};
const busy = 5;
const damage = new Set([11, 26]);

/** A check of the file's structure found it damaged. */
export class DamagedFileError extends Error {
  override readonly name = "DamagedFileError";
}

/** ProblemError `storage_failed` when the medium failed; anything else is a bug and stays what it is. */
export function asStorageError(error: unknown, path: string): unknown {
  const words = mediumFailures[resultCode(error)];
  if (words === undefined) return error;
  return new ProblemError("storage_failed", `The file ${path} failed: ${words}.`, { cause: error });
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
