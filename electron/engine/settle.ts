import { ProblemError } from "../../shared/problem";
import type { Outcome, Task } from "../../shared/task";
import type { Clock } from "./clock";
import type { Ledger } from "./ledger";
import type { TaskStore } from "./store";

/** How long to wait before an end that could not be stored is tried again. */
const settleAgainAfter = 1_000;

/** Why a run was stopped without being cancelled: its task is left for the next start. */
export class HostStopping extends Error {}

export interface SettleParts {
  readonly ledger: Ledger;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly onBug: (error: unknown, taskId: string) => void;
}

/** Ends the task: cancelled when a cancel was committed first, else as its run ended. Never rejects. */
export async function settle(
  parts: SettleParts,
  id: string,
  to: "succeeded" | "failed",
  outcome: Outcome,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      end(parts, id, to, outcome);
      return;
    } catch (error) {
      if (!(error instanceof ProblemError)) parts.onBug(error, id);
      if (!(error instanceof ProblemError) || signal.reason instanceof HostStopping) return;
      await new Promise<void>((resolve) => parts.clock.after(settleAgainAfter, resolve));
    }
  }
}

function end({ ledger, store }: SettleParts, id: string, to: "succeeded" | "failed", outcome: Outcome): void {
  const task = currentTask(store, id);
  const events = [{ type: "ended" }] as const;
  if (task.status !== "cancelling") {
    ledger.move(id, task.status, to, { outcome, events });
    return;
  }
  const reason = store.changes(id).at(-1)?.reason ?? "cancelled";
  ledger.move(id, "cancelling", "cancelled", { outcome: { kind: "cancelled", reason }, events });
}

export function currentTask(store: TaskStore, id: string): Task {
  const task = store.task(id);
  if (task === undefined) throw new Error(`The task ${id} is gone while it runs`);
  return task;
}
