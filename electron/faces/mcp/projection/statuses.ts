import type { TaskStatus } from "../../../../shared/lifecycle";
import type { TaskView } from "./task-view";
import { toolOutcome } from "./tool-result";

/** The statuses of both generations. */
export const seenStatuses = ["working", "input_required", "completed", "failed", "cancelled"] as const;
export type SeenStatus = (typeof seenStatuses)[number];

type Table = Readonly<Record<TaskStatus, (view: TaskView) => SeenStatus>>;

const common = {
  queued: () => "working",
  loading: () => "working",
  running: () => "working",
  // Whoever cannot answer waits for the person at the window.
  input_required: ({ asked }) => (asked.length > 0 ? "input_required" : "working"),
  // MCP wants `cancelled` before `tasks/cancel` is answered, and from here nothing else can come.
  cancelling: () => "cancelled",
  cancelled: () => "cancelled",
} as const satisfies Partial<Table>;

/** 2025-11-25: a tool result with `isError: true` is a failed task. */
const legacy: Table = {
  ...common,
  succeeded: () => "completed",
  failed: () => "failed",
};

/** 2026-07-28: a tool result is a completed task whatever it says; only an error of the protocol is a failed one. */
const modern: Table = {
  ...common,
  succeeded: () => "completed",
  failed: ({ task }) => (toolOutcome(task)?.kind === "error" ? "failed" : "completed"),
};

export function legacyStatus(view: TaskView): SeenStatus {
  return legacy[view.task.status](view);
}

export function modernStatus(view: TaskView): SeenStatus {
  return modern[view.task.status](view);
}
