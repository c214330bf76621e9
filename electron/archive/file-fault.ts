import { type ProblemCode, ProblemError } from "../../shared/problem";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "its folder is none",
  EISDIR: "it is a folder",
  EACCES: "access is not allowed",
  EPERM: "that is not permitted",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full for you",
  EIO: "reading or writing failed",
};

/** What a failure of the file system means for the person; anything else is a bug and stays what it is. */
export function fileFault(code: ProblemCode, what: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return error;
  return new ProblemError(code, `${what}: ${reasons[error.code] ?? error.code}.`, { cause: error });
}
