import type { Question } from "../../../../shared/question";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { Fact } from "../../../engine/fact";
import type { FaceParts } from "../face-parts";
import { Asking } from "./asking";
import type { Streams } from "./streams";

/** More open questions of one client than this are asked when others are answered. */
const resumed = 1_000;

/** What is being asked of one client: each open question that is addressed to it, once. */
export class Askings {
  readonly #parts: FaceParts;
  readonly #caller: Caller;
  readonly #streams: Streams;
  /** By question. */
  readonly #open = new Map<string, { readonly taskId: string; readonly over: AbortController }>();

  constructor(parts: FaceParts, caller: Caller, streams: Streams) {
    this.#parts = parts;
    this.#caller = caller;
    this.#streams = streams;
  }

  hear(fact: Fact): void {
    if (fact.kind === "asked") this.#begin(fact.task, fact.question);
    else if (fact.kind === "answered") this.#end(fact.question.id, `answered by ${fact.question.answered?.by}`);
    else if (fact.kind === "removed" || (fact.kind === "moved" && !isAlive(fact.task)))
      for (const [id, { taskId }] of [...this.#open]) if (taskId === fact.taskId) this.#end(id, "no longer needed");
  }

  /** Begins to ask what was asked before anybody was there. */
  resume(): void {
    const { service } = this.#parts;
    for (const task of service.currentTasks(this.#caller, {}, { limit: resumed, statuses: ["input_required"] }))
      for (const question of service.questions(this.#caller, {}, task.id)) this.#begin(task, question);
  }

  /** Stops asking; the questions stay open. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.#end(id, "the session ended");
  }

  #begin(task: Task, question: Question): void {
    const { id, answered, to } = question;
    if (answered !== null || !to.includes("caller") || this.#open.has(id)) return;
    const over = new AbortController();
    this.#open.set(id, { taskId: task.id, over });
    const asking = new Asking(this.#parts, this.#caller, this.#streams, task, question, over.signal);
    // It rejects when it is over, and with faults of ours, which it has told.
    asking.run().catch(() => undefined);
  }

  #end(id: string, reason: string): void {
    this.#open.get(id)?.over.abort(reason);
    this.#open.delete(id);
  }
}

/** Whether its questions may still need an answer. Each that got one is told on its own. */
function isAlive({ status }: Task): boolean {
  return status === "input_required" || status === "running";
}
