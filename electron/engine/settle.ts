import { isStorageFailure } from "../../shared/problem";
import type { Outcome, Task } from "../../shared/task";
import type { Clock } from "./clock";
import type { Ledger } from "./ledger";
import type { TaskStore } from "./store";

/** How long to wait before what could not be stored is tried again. */
const storeAgainAfter = 1_000;

/** Why a run was stopped without being cancelled: its task is left for the next start. */
export class HostStopping extends Error {}

export interface SettleParts {
  readonly ledger: Ledger;
  readonly store: TaskStore;
  readonly clock: Clock;
  /** Aborts when the host stops: what cannot be stored by then is left for the next start. */
  readonly halted: AbortSignal;
  readonly onBug: (error: unknown, taskId: string) => void;
}

/** Ends the task: cancelled when a cancel was committed first, else as its run ended. Never rejects. */
export async function settle(
  parts: SettleParts,
  id: string,
  to: "succeeded" | "failed",
  outcome: Outcome,
): Promise<void> {
  try {
    await untilStored(parts, () => end(parts, id, to, outcome));
  } catch (error) {
    if (!isStorageFailure(error)) parts.onBug(error, id);
  }
}

/**
 * Does what must be stored, again and again until storage takes it. Throws what `work` throws for another reason, and
 * ProblemError `storage_failed` when the host stops before.
 */
export async function untilStored<T>(
  { clock, halted }: Pick<SettleParts, "clock" | "halted">,
  work: () => T,
): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isStorageFailure(error) || halted.aborted) throw error;
      await pause(clock, halted);
    }
  }
}

function pause(clock: Clock, halted: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      cancelTimer();
      halted.removeEventListener("abort", goOn);
      resolve();
    };
    const cancelTimer = clock.after(storeAgainAfter, goOn);
    halted.addEventListener("abort", goOn);
  });
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
