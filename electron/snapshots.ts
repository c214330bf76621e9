import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Snapshots } from "./engine/snapshots";

const ending = ".kv";

/**
 * One file per task in a folder that only its owner may read. The files only spare reading: whatever goes wrong with them
 * is logged and costs time, never a task.
 */
export class FolderSnapshots implements Snapshots {
  readonly #folder: string;
  readonly #log: (error: Error, what: string) => void;

  constructor(folder: string, log: (error: Error, what: string) => void) {
    this.#folder = folder;
    this.#log = log;
  }

  fileOf(taskId: string): string | null {
    return this.#trying(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      return join(this.#folder, `${taskId}${ending}`);
    });
  }

  drop(taskId: string): void {
    this.#trying(() => rmSync(join(this.#folder, `${taskId}${ending}`), { force: true }));
  }

  /** Drafts that were never finished, and what was set aside, belong to no task either. */
  keepOnly(taskIds: ReadonlySet<string>): void {
    const files = this.#trying(() => readdirSync(this.#folder)) ?? [];
    const foreign = files.filter((file) => !file.endsWith(ending) || !taskIds.has(file.slice(0, -ending.length)));
    for (const file of foreign) this.#trying(() => rmSync(join(this.#folder, file), { force: true }));
  }

  #trying<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      if (error.code !== "ENOENT") this.#log(error, "a snapshot's file cannot be used");
      return null;
    }
  }
}
