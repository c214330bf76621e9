import type { TaskRow } from "../../shared/desktop/rows";
import type { WindowState } from "./window-state";

/** What the status bar counts. `rate` is the sum over the running tasks, in tokens per second. */
export interface Activity {
  readonly running: number;
  readonly queued: number;
  readonly rate: number;
}

export function activityOf(rows: Iterable<TaskRow>): Activity {
  let [running, queued, rate] = [0, 0, 0];
  for (const row of rows) {
    if (row.status === "queued") queued += 1;
    if (row.status === "loading" || row.status === "running" || row.status === "cancelling") running += 1;
    rate += row.tokensPerSecond ?? 0;
  }
  return { running, queued, rate };
}

/** How many tasks wait for the person. */
export function askingOf({ list }: WindowState): number {
  let asking = 0;
  for (const { question } of list?.rows.values() ?? []) if (question !== null) asking += 1;
  return asking;
}

export const rowOf = (id: string | null) => (state: WindowState) =>
  id === null ? undefined : state.list?.rows.get(id);
