import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Log } from "./log";
import { identityOf } from "./process-identity";

const recordSchema = z.object({ pid: z.int().min(1), identity: z.string().min(1) });

/**
 * Which process runs the models, in `DIR/inference.json`, for as long as it runs. A killed host takes its process along,
 * except one that is stopped or that the system cannot wake; the next host on the folder ends that one.
 */
export class ProcessRecord {
  readonly #path: string;
  readonly #draft: string;
  readonly #log: Log;

  constructor(dataDir: string, log: Log) {
    this.#path = join(dataDir, "inference.json");
    this.#draft = `${this.#path}.tmp`;
    this.#log = log;
  }

  note(pid: number): void {
    const identity = identityOf(pid);
    if (identity === null) return;
    try {
      writeFileSync(this.#draft, JSON.stringify({ pid, identity }), { mode: 0o600 });
      renameSync(this.#draft, this.#path);
    } catch (error) {
      this.#log.warn(`The number of the inference process could not be noted: ${error}`);
    }
  }

  clear(): void {
    try {
      for (const path of [this.#path, this.#draft]) rmSync(path, { force: true });
    } catch (error) {
      // It names a process that is gone, and whoever has its number next is told apart.
      this.#log.warn(`The note of the inference process could not be removed: ${error}`);
    }
  }

  /** Ends the process of a host before this one. Only for who has the folder alone: else it is another's at work. */
  endLeftover(): void {
    const left = this.#read();
    if (left !== undefined && identityOf(left.pid) === left.identity) {
      this.#log.warn(`An inference process (${left.pid}) was left behind by a host that was killed; it is ended.`);
      end(left.pid);
    }
    this.clear();
  }

  #read(): z.output<typeof recordSchema> | undefined {
    try {
      return recordSchema.parse(JSON.parse(readFileSync(this.#path, "utf8")));
    } catch {
      return undefined; // nothing was left, or nothing that could be read
    }
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
