import { type Recovery, recoveryOf } from "../../shared/lifecycle";
import type { Outcome, Task } from "../../shared/task";
import type { Ledger } from "./ledger";
import type { TaskStore } from "./store";

const restarted: Outcome = {
  kind: "error",
  problem: {
    code: "server_restarted",
    detail: 'The service restarted before the task ended, and its on_restart is "fail"; create it again.',
  },
};
const cancelled: Outcome = { kind: "cancelled", reason: "cancelled before the service restarted" };

/** LMSP 7.5, once at boot: ends what a restart ends; returns the tasks that wait to run, oldest first. */
export function recover(store: TaskStore, ledger: Ledger): readonly Task[] {
  return store.unfinished().flatMap((task) => {
    const recovery = recoveryFor(task);
    if (recovery === "failed") ledger.recover(task, "failed", restarted, "service restarted");
    if (recovery === "cancelled") ledger.recover(task, "cancelled", cancelled, "service restarted");
    if (recovery !== "queued") return [];
    // What had not begun has no attempt to supersede.
    const waiting = task.status === "queued" ? task : ledger.recover(task, "queued", null, "service restarted");
    return waiting === undefined ? [] : [waiting];
  });
}

/** Whoever was asked may still answer: only LMSP, which knows no questions, has `fail` end a task that waits for one. */
function recoveryFor(task: Task): Recovery | undefined {
  if (task.status === "input_required" && task.origin !== "lmsp") return "wait";
  return recoveryOf(task.status, task.onRestart);
}
