import { createHash } from "node:crypto";
import type { z } from "zod";
import { ProblemError } from "../../shared/problem";
import type { TaskRecord } from "../engine/adoption";
import { type ArchiveLine, formatVersion, headerSchema, type LineOf, lineSchema } from "./format";
import { GatheredTask, type PartLine } from "./gathered-task";
import { type Line, linesOf } from "./lines";

export type Entry =
  | { readonly kind: "client"; readonly client: LineOf<"client"> }
  | { readonly kind: "task"; readonly record: TaskRecord };

/** The clients and tasks of an export. Throws ProblemError `invalid_request` with the number of the line that is wrong. */
export async function* readArchive(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const reader = new Reader();
  for await (const line of linesOf(chunks)) yield* reader.take(line);
  reader.end();
}

/** Before the header, within the file (from the header on), after its end (from its line on). */
class Reader {
  readonly #hash = createHash("sha256");
  readonly #questions = new Set<string>();
  #state: "before" | "within" | "after" = "before";
  #task: GatheredTask | undefined;
  #tasks = 0;
  #number = 0;

  *take({ number, bytes }: Line): Generator<Entry> {
    this.#number = number;
    const value = this.#parsed(bytes);
    if (this.#state === "after") throw this.#fault("follows the end");
    if (this.#state === "before") this.#begin(value);
    else yield* this.#within(this.#understood(lineSchema, value));
    if (this.#state === "within") this.#hash.update(bytes);
  }

  end(): void {
    if (this.#state === "after") return;
    const where = this.#state === "before" ? "The file is empty" : `The file is cut off after line ${this.#number}`;
    throw new ProblemError("invalid_request", `${where}: its end is missing.`);
  }

  #begin(value: unknown): void {
    const header = headerSchema.safeParse(value).data;
    if (header === undefined)
      throw new ProblemError("invalid_request", "Line 1 is not the header of an export: this is no export of Simmer.");
    if (header.version !== formatVersion)
      throw new ProblemError(
        "invalid_request",
        `Line 1 says that the file has version ${header.version} of the format, made by Simmer ${header.simmer}; this ` +
          `Simmer reads version ${formatVersion}.`,
      );
    this.#state = "within";
  }

  *#within(line: ArchiveLine): Generator<Entry> {
    if (isPart(line)) return this.#addPart(line);
    yield* this.#finished();
    if (line.type === "client") yield { kind: "client", client: line };
    if (line.type === "task") this.#open(line);
    if (line.type === "end") this.#close(line);
  }

  #addPart(line: PartLine): void {
    if (this.#task === undefined) throw this.#fault(`belongs to ${line.task}, but follows no task`);
    if (line.type === "question" && this.#questions.has(line.id)) throw this.#fault(`repeats the question ${line.id}`);
    const fault = this.#task.add(line);
    if (fault !== undefined) throw this.#fault(fault);
    if (line.type === "question") this.#questions.add(line.id);
  }

  #open(line: LineOf<"task">): void {
    this.#task = new GatheredTask(line);
    if (this.#task.fault !== undefined) throw this.#fault(this.#task.fault);
    this.#tasks += 1;
  }

  *#finished(): Generator<Entry> {
    const task = this.#task;
    if (task === undefined) return;
    const record = task.record();
    if (record === undefined) throw this.#fault(`stands where the input of ${task.id} is missing`);
    this.#task = undefined;
    yield { kind: "task", record };
  }

  #close({ tasks, sha256 }: LineOf<"end">): void {
    if (tasks !== this.#tasks) throw this.#fault(`counts ${tasks} tasks, but there are ${this.#tasks}`);
    if (sha256 !== undefined && sha256 !== this.#hash.digest("hex"))
      throw this.#fault("has another checksum than the lines before it: one of them was changed or is damaged");
    this.#state = "after";
  }

  #parsed(bytes: Uint8Array): unknown {
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      throw this.#fault("is not JSON in UTF-8");
    }
  }

  #understood<T>(schema: z.ZodType<T>, value: unknown): T {
    const { data, error } = schema.safeParse(value);
    if (data !== undefined) return data;
    const [issue] = error?.issues ?? [];
    const where = issue === undefined || issue.path.length === 0 ? "" : ` at "${issue.path.join(".")}"`;
    throw this.#fault(`is not understood${where}: ${issue?.message ?? "it is something else"}`);
  }

  #fault(reason: string): ProblemError {
    return new ProblemError("invalid_request", `Line ${this.#number} ${reason}.`);
  }
}

function isPart(line: ArchiveLine): line is PartLine {
  return "task" in line;
}
