import type { ProgressToken } from "@modelcontextprotocol/server";
import { isTerminal } from "../../../../shared/lifecycle";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { Fact } from "../../../engine/fact";
import type { FaceParts } from "../face-parts";
import { tellProgress } from "../server/tell-progress";
import { aboutTask } from "./related-task";
import type { Streams } from "./streams";
import { memoOf } from "./task-memo";

/**
 * `notifications/progress` for the calls that sent a token, for as long as their tasks live: on a stream that waits for
 * the task, else on the GET stream of the session that made it, else nowhere.
 */
export class ProgressNotices {
  readonly #parts: FaceParts;
  readonly #caller: Caller;
  readonly #streams: Streams;
  /** What ends the telling, by task; null for a task that wants none. */
  readonly #told = new Map<string, (() => void) | null>();

  constructor(parts: FaceParts, caller: Caller, streams: Streams) {
    this.#parts = parts;
    this.#caller = caller;
    this.#streams = streams;
  }

  hear(fact: Fact): void {
    const isOver = fact.kind === "removed" || (fact.kind === "moved" && isTerminal(fact.task.status));
    if (isOver) this.#forget(fact.taskId);
    else if (!this.#told.has(fact.taskId)) this.#begin(this.#parts.service.current(this.#caller, {}, fact.taskId));
  }

  close(): void {
    for (const id of [...this.#told.keys()]) this.#forget(id);
  }

  #begin(task: Task): void {
    if (isTerminal(task.status)) return;
    const { session, progressToken } = memoOf(task) ?? {};
    if (session === undefined || progressToken === undefined) this.#told.set(task.id, null);
    else this.#told.set(task.id, this.#follow(task, session, progressToken));
  }

  #follow(task: Task, session: string, progressToken: ProgressToken): () => void {
    return tellProgress(this.#parts, this.#caller, task, task.answers, (note) => {
      const outlet = this.#streams.waitingFor(task.id) ?? this.#streams.standalone((one) => one.session.id === session);
      if (outlet === undefined || outlet.isSlow()) return;
      const about = task.listed ? aboutTask(task.id) : {};
      outlet.tell({ method: "notifications/progress", params: { progressToken, ...note, ...about } });
    });
  }

  #forget(id: string): void {
    this.#told.get(id)?.();
    this.#told.delete(id);
  }
}
