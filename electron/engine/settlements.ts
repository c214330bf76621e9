import { isTerminal } from "../../shared/lifecycle";
import { ProblemError } from "../../shared/problem";
import type { Task } from "../../shared/task";
import type { Fact } from "./fact";

interface Waiter {
  readonly resolve: (task: Task) => void;
  readonly reject: (reason: unknown) => void;
}

/** Who waits for the end of which task. An end reaches all of its waiters by one fact: no polls, no timers. */
export class Settlements {
  readonly #waiters = new Map<string, Set<Waiter>>();

  readonly take = (fact: Fact): void => {
    if (fact.kind === "moved" && isSettled(fact.task)) this.#release(fact.taskId, ({ resolve }) => resolve(fact.task));
    if (fact.kind === "removed")
      this.#release(fact.taskId, ({ reject }) => reject(new ProblemError("task_not_found", "The task was deleted.")));
  };

  /** Resolves when the task is being cancelled or has ended; rejects with `signal.reason`, or `task_not_found`. */
  async wait(task: Task, signal: AbortSignal): Promise<Task> {
    signal.throwIfAborted();
    if (isSettled(task)) return task;
    const waiters = this.#waiters.get(task.id) ?? new Set();
    this.#waiters.set(task.id, waiters);
    return await new Promise<Task>((resolve, reject) => {
      const leave = () => {
        waiters.delete(waiter);
        if (waiters.size === 0) this.#waiters.delete(task.id);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        resolve: (settled) => {
          signal.removeEventListener("abort", leave);
          resolve(settled);
        },
        reject: (reason) => {
          signal.removeEventListener("abort", leave);
          reject(reason);
        },
      };
      waiters.add(waiter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #release(id: string, each: (waiter: Waiter) => void): void {
    const waiters = this.#waiters.get(id);
    this.#waiters.delete(id);
    for (const waiter of waiters ?? []) each(waiter);
  }
}

/** `cancelling` can only become `cancelled`: whoever waits for the outcome need not wait for the backend to stop. */
function isSettled(task: Task): boolean {
  return task.status === "cancelling" || isTerminal(task.status);
}
