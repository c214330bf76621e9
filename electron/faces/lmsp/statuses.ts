import { type TaskStatus, taskStatuses } from "../../../shared/lifecycle";

export const lmspStatuses = ["queued", "loading", "running", "cancelling", "succeeded", "failed", "cancelled"] as const;
export type LmspStatus = (typeof lmspStatuses)[number];

/** LMSP 7.2 knows no open questions: a task that waits for an answer is still running. */
export const statusOf = {
  queued: "queued",
  loading: "loading",
  running: "running",
  input_required: "running",
  cancelling: "cancelling",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
} as const satisfies Record<TaskStatus, LmspStatus>;

/** The engine's statuses that show as one of `wanted`. */
export function statusesThatShowAs(wanted: readonly LmspStatus[]): readonly TaskStatus[] {
  return taskStatuses.filter((status) => wanted.includes(statusOf[status]));
}
