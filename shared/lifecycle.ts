/**
 * The one task life cycle. Every face projects these statuses; only the ledger moves a task between them.
 *
 * ```
 * queued ─> loading ─> running <─> input_required
 *   │          │         │  │            │
 *   │          │         │  └─> succeeded│
 *   ├──────────┴─────────┴───────────────┴──> failed
 *   ├─> cancelled <── cancelling <── loading | running | input_required
 * ```
 */
export const taskStatuses = [
  "queued",
  "loading",
  "running",
  "input_required",
  "cancelling",
  "succeeded",
  "failed",
  "cancelled",
] as const;

export type TaskStatus = (typeof taskStatuses)[number];

export const restartPolicies = ["fail", "retry", "resume"] as const;

/** What a restart of the host does to an unfinished task (LMSP 7.5). */
export type RestartPolicy = (typeof restartPolicies)[number];

/** LMSP 7.2: every move a task may make while the host lives. */
export const moves = {
  queued: ["loading", "cancelled", "failed"],
  loading: ["running", "cancelling", "failed"],
  running: ["input_required", "succeeded", "failed", "cancelling"],
  input_required: ["running", "failed", "cancelling"],
  cancelling: ["cancelled"],
  succeeded: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>;

export function canMove(from: TaskStatus, to: TaskStatus): boolean {
  return (moves[from] as readonly TaskStatus[]).includes(to);
}

export function isTerminal(status: TaskStatus): boolean {
  return moves[status].length === 0;
}

export const unfinishedStatuses: readonly TaskStatus[] = taskStatuses.filter((status) => !isTerminal(status));

/**
 * LMSP 7.3: what a cancel does. `done` is not an error: the task is on its way or there already; `refused` is 409.
 */
export const cancelRules = {
  queued: "cancelled",
  loading: "cancelling",
  running: "cancelling",
  input_required: "cancelling",
  cancelling: "done",
  cancelled: "done",
  succeeded: "refused",
  failed: "refused",
} as const satisfies Record<TaskStatus, TaskStatus | "done" | "refused">;

/** What the restart of the host makes of an unfinished task. `wait` keeps an open question open. */
export type Recovery = "failed" | "queued" | "cancelled" | "wait";

const interrupted = { fail: "failed", retry: "queued", resume: "queued" } as const;
const cancelled = { fail: "cancelled", retry: "cancelled", resume: "cancelled" } as const;

/** LMSP 7.5, applied once at boot. This table is apart from `moves`: only a restart may take a task backwards. */
export const recoveries = {
  queued: interrupted,
  loading: interrupted,
  running: interrupted,
  input_required: { fail: "failed", retry: "wait", resume: "wait" },
  cancelling: cancelled,
} as const satisfies Partial<Record<TaskStatus, Record<RestartPolicy, Recovery>>>;

export function recoveryOf(status: TaskStatus, policy: RestartPolicy): Recovery | undefined {
  return (recoveries as Partial<Record<TaskStatus, Record<RestartPolicy, Recovery>>>)[status]?.[policy];
}

/** A recorded transition may come from a move, from a restart, or be a new attempt in place (`from === to`). */
export function isLegalChange(from: TaskStatus, to: TaskStatus): boolean {
  if (canMove(from, to)) return true;
  if (from === to) return from === "queued" || from === "loading" || from === "running";
  return Object.values((recoveries as Record<string, Record<string, string>>)[from] ?? {}).includes(to);
}
