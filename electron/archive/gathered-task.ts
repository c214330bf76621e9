import { isTerminal } from "../../shared/lifecycle";
import type { Question } from "../../shared/question";
import type { Commit, TaskRecord } from "../engine/adoption";
import type { ArchiveLine, LineOf } from "./format";

/** The lines that belong to a task. */
export type PartLine = Extract<ArchiveLine, { readonly task: string }>;

/** A task whose lines are being read. What it refuses, it refuses with the reason, to stand behind "the line ". */
export class GatheredTask {
  readonly id: string;
  readonly #task: LineOf<"task">;
  readonly #commits: { readonly changes: Commit["changes"][number][]; readonly events: Commit["events"][number][] }[] =
    [];
  readonly #steps = new Map<string, LineOf<"step">["outcome"]>();
  readonly #questions: Question[] = [];
  #input: LineOf<"input"> | undefined;
  #lastSeq = -1;

  constructor(task: LineOf<"task">) {
    this.id = task.id;
    this.#task = task;
  }

  /** What is wrong with the task's own line; undefined when nothing is. */
  get fault(): string | undefined {
    const { status, outcome } = this.#task;
    if (isTerminal(status) !== (outcome !== null)) return `has no outcome that goes with the status "${status}"`;
    return undefined;
  }

  /** Returns what is wrong with the line, and then has not taken it. */
  add(line: PartLine): string | undefined {
    if (line.task !== this.id) return `belongs to ${line.task}, but follows the task ${this.id}`;
    switch (line.type) {
      case "input":
        return this.#addInput(line);
      case "change":
        return this.#addChange(line);
      case "event":
        return this.#addEvent(line);
      case "step":
        if (this.#steps.has(line.key)) return `repeats the step "${line.key}"`;
        this.#steps.set(line.key, line.outcome);
        return undefined;
      default:
        return this.#addQuestion(line);
    }
  }

  /** Undefined when lines are missing. */
  record(): TaskRecord | undefined {
    if (this.#input === undefined) return undefined;
    const { type: _type, idempotency, ...task } = this.#task;
    return {
      task,
      idempotency,
      input: this.#input.input,
      commits: this.#commits,
      steps: [...this.#steps],
      questions: this.#questions,
    };
  }

  #addInput(line: LineOf<"input">): string | undefined {
    if (this.#input !== undefined) return "is a second input";
    this.#input = line;
    return undefined;
  }

  #addChange({ type: _type, task: taskId, commit: number, ...change }: LineOf<"change">): string | undefined {
    const commit = this.#commit(number);
    if (commit === undefined) return `has the commit ${number}, which does not follow`;
    commit.changes.push({ taskId, ...change });
    return undefined;
  }

  #addEvent({ type: _type, task: taskId, commit: number, ...event }: LineOf<"event">): string | undefined {
    if (event.seq <= this.#lastSeq || event.seq > this.#task.lastSeq) return `has the seq ${event.seq} out of order`;
    const commit = this.#commit(number);
    if (commit === undefined) return `has the commit ${number}, which does not follow`;
    this.#lastSeq = event.seq;
    commit.events.push({ taskId, ...event });
    return undefined;
  }

  #addQuestion({ type: _type, task: taskId, ...question }: LineOf<"question">): string | undefined {
    this.#questions.push({ taskId, ...question });
    return undefined;
  }

  /** The one that was read last, or the next. */
  #commit(number: number) {
    if (number === this.#commits.length + 1) this.#commits.push({ changes: [], events: [] });
    return number === this.#commits.length ? this.#commits.at(-1) : undefined;
  }
}
