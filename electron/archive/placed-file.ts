import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ProblemError } from "../../shared/problem";
import { fileFault } from "./file-fault";

/** What SQLite may leave beside a file. */
const companions = ["", "-journal", "-wal", "-shm"];

/**
 * Makes the file at `path`, which only its owner may read: whole or not at all. `write` fills a draft beside it, which is
 * moved there when it is on the disk. Throws ProblemError `invalid_request` when there is a file and it is not to be
 * replaced, `storage_failed` when it cannot be written.
 */
export async function placeFile<T>(
  path: string,
  { replace }: { readonly replace: boolean },
  write: (draft: string) => Promise<T>,
): Promise<T> {
  if (!replace && (await exists(path))) throw taken(path);
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.partial`);
  try {
    await (await open(draft, "wx", 0o600)).close();
    const result = await write(draft);
    await sync(draft, "r+");
    if (!replace) await reserve(path);
    await rename(draft, path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    throw fileFault("storage_failed", `${path} cannot be written`, error);
  } finally {
    for (const ending of companions) await rm(`${draft}${ending}`, { force: true });
  }
}

/** Nobody else can make a file of this name from here on; the draft takes the place of the empty one at once. */
async function reserve(path: string): Promise<void> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    throw (await exists(path)) ? taken(path) : error;
  }
  await file.close();
}

function taken(path: string): ProblemError {
  return new ProblemError("invalid_request", `${path} exists already, and is left as it is. Choose another name.`);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false; // whatever else is wrong with it, writing will say
  }
}

async function sync(path: string, flags: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** So that the new name outlives a power cut too. */
async function syncFolder(path: string): Promise<void> {
  try {
    await sync(path, "r");
  } catch {
    // Not every system can; the file itself is on the disk.
  }
}
