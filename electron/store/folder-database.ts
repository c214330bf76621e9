import { mkdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../../shared/problem";
import { type Database, openDatabase } from "./database";
import { type FolderLock, lockFolder } from "./folder-lock";

/** In bytes: what a busy minute writes. With less, a disk that was full is as good as full. */
const enoughRoom = 1024 * 1024;

export interface FolderDatabaseParts {
  readonly folder: string;
  /** The folder is this host's alone from here on. */
  readonly onTaken: () => void;
  /** Told the name under which a damaged database is kept. */
  readonly onSetAside: (kept: string) => void;
}

/** The database of a data folder, which one host serves. The folder, once taken, is kept until `release`. */
export class FolderDatabase {
  readonly #parts: FolderDatabaseParts;
  #lock: FolderLock | undefined;

  constructor(parts: FolderDatabaseParts) {
    this.#parts = parts;
  }

  /** Throws FolderInUseError when another host serves the folder, ProblemError `storage_failed` when it is of no use now. */
  open(): Database {
    const { folder, onSetAside } = this.#parts;
    makeFolder(folder);
    if (this.#lock === undefined) this.#take();
    const { database, setAside } = openDatabase(join(folder, "simmer.db"));
    if (setAside !== null) onSetAside(setAside);
    return database;
  }

  /** False on a disk that is all but full. */
  hasRoom(): boolean {
    try {
      const { bavail, bsize } = statfsSync(this.#parts.folder);
      return bavail * bsize >= enoughRoom;
    } catch {
      return true; // not every system tells; a write will
    }
  }

  release(): void {
    this.#lock?.release();
  }

  #take(): void {
    this.#lock = lockFolder(this.#parts.folder);
    this.#parts.onTaken();
  }
}

/** Readable by its owner only. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `The data folder ${folder} cannot be made (${reason}). Choose another with --data-dir.`;
    throw new ProblemError("storage_failed", detail, { cause: error });
  }
}
