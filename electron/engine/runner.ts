import type { Task } from "../../shared/task";
import type { Place } from "./place";
import { Run } from "./run";
import type { RunParts } from "./run-parts";
import { settle } from "./settle";

/** Takes tasks to their end; the scheduler says when. */
export class Runner {
  readonly #parts: RunParts;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** A run of this task; it begins with `start`. */
  prepare(task: Task, place: Place): Run {
    return new Run(this.#parts, task, place);
  }

  /** Ends a task in `cancelling` that nothing runs. */
  stopped(task: Task): void {
    const outcome = { kind: "cancelled", reason: "cancelled" } as const;
    void settle(this.#parts, task.id, "failed", outcome);
  }
}
