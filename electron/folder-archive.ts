import { createWriteStream } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProblemError } from "../shared/problem";
import type { Settings } from "../shared/settings";
import { type Imported, type ImportTarget, importArchive } from "./archive/import-archive";
import { placeFile } from "./archive/placed-file";
import { archiveChunks } from "./archive/write-archive";
import { copyDatabase } from "./store/copy-database";
import { openForReading } from "./store/open-for-reading";

export interface ArchiveParts {
  readonly dataDir: string;
  /** Of Simmer. */
  readonly version: string;
  /** Those that differ from the defaults. */
  readonly settings: () => Partial<Settings>;
  readonly now: () => number;
}

/**
 * Backups and exports of a data folder, whether a host serves it or not: what is read is what was committed when it began,
 * and nobody waits. `close` stops what is under way, which then leaves nothing behind.
 */
export class FolderArchive {
  readonly #parts: ArchiveParts;
  readonly #database: string;
  readonly #life = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
    this.#database = join(parts.dataDir, "simmer.db");
  }

  /** Copies the database; returns how many tasks it has. */
  backUp(path: string, replace: boolean): Promise<number> {
    return this.#run(async () => {
      await this.#refuseOwn(path, replace);
      return await placeFile(path, { replace }, async (draft) => {
        const tasks = await copyDatabase(this.#database, draft);
        this.#life.signal.throwIfAborted();
        return tasks;
      });
    });
  }

  /** Writes everything in an open format; returns how many tasks there are. */
  exportTo(path: string, replace: boolean): Promise<number> {
    return this.#run(async () => {
      await this.#refuseOwn(path, replace);
      return await placeFile(path, { replace }, (draft) => this.#write(createWriteStream(draft, { flags: "r+" })));
    });
  }

  /** The same into a stream, which stays open. */
  exportInto(stream: NodeJS.WritableStream): Promise<number> {
    return this.#run(() => this.#write(stream));
  }

  /** Takes in what an export has and `target` has not. */
  importFrom(path: string, target: ImportTarget): Promise<Imported> {
    return this.#run(() => importArchive(path, target, this.#life.signal));
  }

  async close(): Promise<void> {
    this.#life.abort(new ProblemError("storage_failed", "It was stopped before it was done."));
    await Promise.allSettled(this.#running);
  }

  async #write(stream: NodeJS.WritableStream): Promise<number> {
    const { version, now, settings } = this.#parts;
    const source = openForReading(this.#database);
    let tasks = 0;
    try {
      const chunks = archiveChunks(source, { version, at: now(), settings: settings() }, this.#life.signal);
      const counted = async function* () {
        tasks = yield* chunks;
      };
      await pipeline(counted, stream, { end: stream !== process.stdout });
      return tasks;
    } finally {
      source.close();
    }
  }

  /** To replace one of the files that this very folder lives on would lose what it is to keep. */
  async #refuseOwn(path: string, replace: boolean): Promise<void> {
    if (!replace) return;
    const [folder, own] = await Promise.all([realFolder(dirname(path)), realFolder(this.#parts.dataDir)]);
    if (folder !== own) return;
    const detail = `Nothing in Simmer's own folder ${own} can be replaced. Choose another folder, or a new name.`;
    throw new ProblemError("invalid_request", detail);
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#running.add(running);
    const done = () => void this.#running.delete(running);
    running.then(done, done);
    return running;
  }
}

/** As it is when it has none: then nothing of it can be replaced. */
async function realFolder(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}
