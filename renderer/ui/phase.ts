import type { TaskRow } from "../../shared/desktop/rows";
import type { TaskStatus } from "../../shared/lifecycle";
import type { IconName } from "./icon";

/** What a task is seen doing: its status, where reading the prompt is told apart from writing. */
export type Phase = TaskStatus | "reading";

export function phaseOf(row: Pick<TaskRow, "status" | "reading">): Phase {
  return row.status === "running" && row.reading !== null ? "reading" : row.status;
}

/** The word and the icon of each phase; the colour comes from `phase.module.css` under the same name. */
export const phases = {
  queued: { word: "Queued", icon: "queued" },
  loading: { word: "Loading", icon: "loading" },
  reading: { word: "Reading", icon: "reading" },
  running: { word: "Running", icon: "running" },
  input_required: { word: "Needs input", icon: "input" },
  cancelling: { word: "Cancelling", icon: "cancelling" },
  succeeded: { word: "Succeeded", icon: "succeeded" },
  failed: { word: "Failed", icon: "failed" },
  cancelled: { word: "Cancelled", icon: "cancelled" },
} as const satisfies Record<Phase, { readonly word: string; readonly icon: IconName }>;
