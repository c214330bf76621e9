import { type Recovery, recoveryOf } from "../../shared/lifecycle";
import type { Outcome, Task } from "../../shared/task";
import type { Ledger, Recovered } from "./ledger";
import type { TaskStore } from "./store";

const restarted: Outcome = {
  kind: "error",
  problem: {
    code: "server_restarted",
    detail: 'The service restarted before the task ended, and its on_restart is "fail"; create it again.',
  },
};
const cancelled: Outcome = { kind: "cancelled", reason: "cancelled before the service restarted" };

const outcomes = { failed: restarted, cancelled, queued: null } as const satisfies Record<
  Recovered["to"],
  Outcome | null
>;

/**
 * LMSP 7.5, once at boot: ends what a restart ends, whatever waits begins anew. Returns the tasks that wait to run and
 * those that wait for an answer.
 */
export function recover(
  store: TaskStore,
  ledger: Ledger,
): { readonly queued: readonly Task[]; readonly asking: readonly Task[] } {
  const recovered: Recovered[] = [];
  const queued: Task[] = [];
  const asking: Task[] = [];
  for (const task of store.unfinished()) {
    const to = recoveryFor(task);
    if (to === "wait" || to === undefined) asking.push(task);
    // What had not begun has no attempt to supersede.
    else if (to === "queued" && task.status === "queued") queued.push(task);
    else recovered.push({ task, to, outcome: outcomes[to] });
  }
  for (const task of ledger.recover(recovered, "service restarted")) if (task.status === "queued") queued.push(task);
  return { queued: queued.sort((one, other) => one.row - other.row), asking };
}

/** Whoever was asked may still answer: only LMSP, which knows no questions, has `fail` end a task that waits for one. */
function recoveryFor(task: Task): Recovery | undefined {
  if (task.status === "input_required" && task.origin !== "lmsp") return "wait";
  return recoveryOf(task.status, task.onRestart);
}
