import { setTimeout as sleep } from "node:timers/promises";
import { clientNames } from "../plan/planned-task";
import { unfinishedIn } from "../readings/stored";
import type { Stage } from "./stage";

/** A bound against waiting for ever; generous, as a machine may be busy. Milliseconds. */
const patience = 60_000;

/**
 * Lets everything end: clients bring theirs to its end, and what was made for creates that nobody saw answered is cancelled.
 * Returns what is still open after that: a task that nothing runs.
 */
export async function settle(stage: Stage, load: Promise<void>, dataDir: string): Promise<readonly string[]> {
  const deadline = AbortSignal.timeout(patience);
  const late = new Promise<"late">((resolve) => deadline.addEventListener("abort", () => resolve("late")));
  await Promise.race([load, late]);
  // Only now: a create that is repeated may have brought one of them to light.
  await Promise.all(clientNames.map((client) => cancelUnseen(stage, client)));
  while (!deadline.aborted) {
    if (unfinishedIn(dataDir).length === 0) return [];
    await sleep(20);
  }
  return unfinishedIn(dataDir).map((what) => `nothing ends a task: ${what}`);
}

async function cancelUnseen(stage: Stage, client: (typeof clientNames)[number]): Promise<void> {
  const seen = new Set(stage.recorder.tasks.map(({ id }) => id));
  await stage.tried(`the tasks of ${client}`, async () => {
    const session = await stage.legacy(client);
    for (const { taskId, status } of await session.all())
      if (!seen.has(taskId) && ["working", "input_required"].includes(status))
        await session.request("tasks/cancel", { taskId });
  });
}
