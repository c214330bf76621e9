import { ProblemError } from "../../../../shared/problem";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { Fact } from "../../../engine/fact";
import type { FaceParts } from "../face-parts";
import { toolOutcome } from "../projection/tool-result";
import type { DetailedTask } from "./detailed-task";
import type { RequestCapabilities } from "./request-capabilities";
import { showTask, taskScope } from "./task-methods";

/** Milliseconds between two notices of a task whose status stays; the last one is told always. */
const interval = 500;

interface Watched {
  /** What its reader knows of it, as text. */
  shown: string;
  shownAt: number;
  /** Forgets the news that waits for its time; undefined while none does. */
  forgetNews: (() => void) | undefined;
}

/**
 * News of some tasks for one reader. It keeps which tasks changed, not what they were meanwhile: a reader that falls
 * behind gets the newest state only. A task is watched until its end was shown.
 */
export class TaskWatch {
  readonly #parts: FaceParts;
  readonly #caller: Caller;
  readonly #declared: RequestCapabilities;
  readonly #tasks = new Map<string, Watched>();
  readonly #changed: Set<string>;
  readonly #unsubscribe: () => void;
  readonly #onNews: () => void;

  /** Every task is news at first: it may have changed since its client last saw it. `onNews` hears of later ones. */
  constructor(
    parts: FaceParts,
    caller: Caller,
    declared: RequestCapabilities,
    ids: readonly string[],
    onNews: () => void,
  ) {
    this.#parts = parts;
    this.#caller = caller;
    this.#declared = declared;
    this.#onNews = onNews;
    this.#changed = new Set(ids);
    for (const id of ids) this.#tasks.set(id, { shown: "", shownAt: Number.NEGATIVE_INFINITY, forgetNews: undefined });
    this.#unsubscribe = parts.service.subscribe(caller, (fact) => this.#hear(fact));
  }

  /** Nothing is left that could change. */
  get isOver(): boolean {
    return this.#tasks.size === 0;
  }

  /** The tasks that have changed, as they are now. */
  take(): DetailedTask[] {
    const ids = [...this.#changed];
    this.#changed.clear();
    return ids.flatMap((id) => this.#show(id) ?? []);
  }

  close(): void {
    this.#unsubscribe();
    for (const id of [...this.#tasks.keys()]) this.#forget(id);
  }

  #hear(fact: Fact): void {
    const watched = this.#tasks.get(fact.taskId);
    if (watched === undefined) return;
    if (fact.kind === "removed") this.#forget(fact.taskId);
    const early = watched.shownAt + interval - this.#parts.clock.now();
    if (fact.kind === "removed" || "task" in fact || early <= 0) this.#change(fact.taskId);
    else watched.forgetNews ??= this.#parts.clock.after(early, () => this.#change(fact.taskId));
  }

  #change(id: string): void {
    this.#changed.add(id);
    this.#onNews();
  }

  #forget(id: string): void {
    this.#tasks.get(id)?.forgetNews?.();
    this.#tasks.delete(id);
  }

  #show(id: string): DetailedTask | undefined {
    const watched = this.#tasks.get(id);
    const task = watched && this.#find(id);
    if (watched === undefined || task === undefined) return undefined;
    const seen = showTask(this.#parts, this.#caller, this.#declared, task);
    const before = watched.shown;
    watched.shown = JSON.stringify(seen);
    watched.shownAt = this.#parts.clock.now();
    watched.forgetNews?.();
    watched.forgetNews = undefined;
    if (toolOutcome(task) !== undefined) this.#forget(id);
    return watched.shown === before ? undefined : seen;
  }

  #find(id: string): Task | undefined {
    try {
      return this.#parts.service.current(this.#caller, taskScope, id);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.#forget(id);
      return undefined;
    }
  }
}
