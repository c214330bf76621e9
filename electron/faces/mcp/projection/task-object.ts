import { pollInterval } from "./poll-interval";
import { statusMessage } from "./status-message";
import { legacyStatus, modernStatus, type SeenStatus } from "./statuses";
import type { TaskView } from "./task-view";

/** MCP 2025-11-25, Task. */
export interface LegacyTask extends TaskHead {
  readonly ttl: number | null;
  readonly pollInterval?: number;
}

/** SEP-2663, Task. */
export interface ModernTask extends TaskHead {
  readonly ttlMs: number | null;
  readonly pollIntervalMs?: number;
}

interface TaskHead {
  readonly taskId: string;
  readonly status: SeenStatus;
  readonly statusMessage: string;
  /** ISO 8601, as the next one. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
}

export function legacyTask(view: TaskView): LegacyTask {
  const interval = pollInterval(view);
  return {
    ...head(view, legacyStatus(view)),
    ttl: view.task.ttl,
    ...(interval === undefined ? {} : { pollInterval: interval }),
  };
}

export function modernTask(view: TaskView): ModernTask {
  const interval = pollInterval(view);
  return {
    ...head(view, modernStatus(view)),
    ttlMs: view.task.ttl,
    ...(interval === undefined ? {} : { pollIntervalMs: interval }),
  };
}

function head(view: TaskView, status: SeenStatus): TaskHead {
  const { id, createdAt, updatedAt } = view.task;
  return {
    taskId: id,
    status,
    statusMessage: statusMessage(view),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(view.cancel?.at ?? updatedAt).toISOString(),
  };
}
