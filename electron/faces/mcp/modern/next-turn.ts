import type { Question } from "../../../../shared/question";
import type { Task } from "../../../../shared/task";
import type { TaskService } from "../../../engine/task-service";
import { askedOf } from "../projection/task-view";
import type { Exchange } from "./exchange";

/** What a plain call waits for. */
export type Turn =
  | { readonly kind: "ended"; readonly task: Task }
  | { readonly kind: "asked"; readonly asked: readonly Question[] };

type Waiting = Pick<Exchange, "caller" | "declared" | "closed">;

/**
 * Resolves when the task has ended, or has asked something that the caller can answer. Rejects with the problem
 * `task_not_found` when it is removed, with the reason of `closed` when nobody waits any more.
 */
export async function nextTurn(service: TaskService, { caller, declared, closed }: Waiting, task: Task): Promise<Turn> {
  closed.throwIfAborted();
  const scope = { listed: task.listed };
  const over = new AbortController();
  const waiting = AbortSignal.any([closed, over.signal]);
  const asked = new Promise<Turn>((resolve, reject) => {
    const look = () => {
      if (waiting.aborted) return;
      try {
        // Of a task that has ended, what it asked is asked no more.
        if (service.current(caller, scope, task.id).status !== "input_required") return;
        const open = askedOf(service.questions(caller, scope, task.id), declared.answers);
        if (open.length > 0) resolve({ kind: "asked", asked: open });
      } catch (error) {
        reject(error);
      }
    };
    // A turn later, so that a job that asks several things at once is answered for all of them.
    const unsubscribe = service.subscribe(caller, ({ taskId, kind }) => {
      if (taskId === task.id && kind === "asked") setImmediate(look);
    });
    waiting.addEventListener("abort", unsubscribe, { once: true });
    look();
  });
  try {
    return await Promise.race([ended(service.settled(caller, scope, task.id, waiting)), asked]);
  } finally {
    over.abort();
  }
}

async function ended(settled: Promise<Task>): Promise<Turn> {
  return { kind: "ended", task: await settled };
}
