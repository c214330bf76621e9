import { type FileHandle, open } from "node:fs/promises";
import { ProblemError } from "../../shared/problem";
import type { TaskRecord } from "../engine/adoption";
import { fileFault } from "./file-fault";
import type { LineOf } from "./format";
import { readArchive } from "./read-archive";

/** Where an import goes. Whatever is there already stays as it is. */
export interface ImportTarget {
  /** In one commit; returns how many were not there. */
  adopt(records: readonly TaskRecord[]): number;
  addClient(client: Omit<LineOf<"client">, "type">): void;
}

export interface Imported {
  readonly added: number;
  /** Tasks of the file that were there already. */
  readonly known: number;
}

/** What one commit takes in: enough to make it worth its sync, little enough to keep nobody else waiting. */
const mostTasks = 100;
const mostCommits = 1_000;
const readAtOnce = 1024 * 1024;

/**
 * Reads the file twice: the first time only to see that all of it is right, so that one which is not changes nothing. Then
 * takes in batches of whole tasks. When storage fails in between, the same file goes on where it stopped.
 * Throws ProblemError `invalid_request` or `storage_failed`.
 */
export async function importArchive(path: string, target: ImportTarget, signal: AbortSignal): Promise<Imported> {
  const file = await opened(path);
  try {
    for await (const _ of readArchive(chunksOf(file))) signal.throwIfAborted();
  } catch (error) {
    await file.close();
    throw refused(path, error);
  }
  const batch = new Batch(target);
  try {
    for await (const entry of readArchive(chunksOf(file))) {
      if (entry.kind === "client") target.addClient(clientOf(entry.client));
      else if (batch.take(entry.record)) await nextTurn();
      signal.throwIfAborted();
    }
    batch.flush();
    return batch.imported;
  } catch (error) {
    throw stopped(path, batch.imported, error);
  } finally {
    await file.close();
  }
}

class Batch {
  readonly #target: ImportTarget;
  #records: TaskRecord[] = [];
  #commits = 0;
  #added = 0;
  #known = 0;

  constructor(target: ImportTarget) {
    this.#target = target;
  }

  get imported(): Imported {
    return { added: this.#added, known: this.#known };
  }

  /** True when it was full and is stored. */
  take(record: TaskRecord): boolean {
    this.#records.push(record);
    this.#commits += record.commits.length;
    if (this.#records.length < mostTasks && this.#commits < mostCommits) return false;
    this.flush();
    return true;
  }

  flush(): void {
    const records = this.#records;
    [this.#records, this.#commits] = [[], 0];
    if (records.length === 0) return;
    const added = this.#target.adopt(records);
    this.#added += added;
    this.#known += records.length - added;
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw fileFault("invalid_request", `${path} cannot be read`, error);
  }
  throw new ProblemError("invalid_request", `${path} is not a file.`);
}

function chunksOf(file: FileHandle): AsyncIterable<Uint8Array> {
  return file.createReadStream({ start: 0, autoClose: false, highWaterMark: readAtOnce });
}

function clientOf({ type: _type, ...client }: LineOf<"client">): Omit<LineOf<"client">, "type"> {
  return client;
}

function refused(path: string, error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error;
  return new ProblemError(
    "invalid_request",
    `${path} was not imported, and nothing is changed. ${error.problem.detail}`,
  );
}

function stopped(path: string, { added }: Imported, error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error;
  const { code, detail } = error.problem;
  const words = `The import of ${path} stopped after ${added} tasks, which are kept; import it again to go on. ${detail}`;
  return new ProblemError(code, words, { cause: error });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
