import type { TaskStatus } from "../../../../shared/lifecycle";
import type { ProblemCode } from "../../../../shared/problem";
import type { Question } from "../../../../shared/question";
import type { JobResult, Outcome, Task } from "../../../../shared/task";
import type { TaskView } from "./task-view";

const queued: Task = {
  id: "task_01J8M8R5X3V7B2N4Q9T1W6Y0ZC",
  row: 7,
  client: "local",
  caller: "agent/1",
  origin: "mcp",
  listed: true,
  job: "respond",
  title: "Write a long report.",
  model: "qwen3-14b",
  status: "queued",
  onRestart: "fail",
  attempt: 1,
  createdAt: 1_794_200_100_999,
  updatedAt: 1_794_200_100_999,
  responseId: "resp_01J8M8R5X4B9D2F6H1K3N7Q0ZW",
  ttl: null,
  answers: ["form"],
  faceData: null,
  outcome: null,
  lastSeq: 0,
  eventsExpired: false,
  rev: 1,
};

export const openQuestion: Question = {
  id: "q_01J8M8R5X4B9D2F6H1K3N7Q0ZX",
  taskId: queued.id,
  key: "model",
  body: {
    type: "form",
    message: "Which model?",
    schema: { type: "object", properties: { model: { type: "string" } }, required: ["model"] },
  },
  to: ["caller", "person"],
  askedAt: queued.createdAt,
  answered: null,
};

/** A task in this status, as its caller sees it; a terminal one has an outcome of that kind. */
export function viewIn(
  status: TaskStatus,
  given: Partial<Omit<TaskView, "task">> & { task?: Partial<Task> } = {},
): TaskView {
  const { task, ...rest } = given;
  const updatedAt = status === "queued" ? queued.createdAt : queued.createdAt + 62_000;
  const ended = status === "cancelling" || status === "cancelled";
  return {
    task: { ...queued, status, updatedAt, outcome: outcomes[status] ?? null, ...task },
    progress: {},
    asked: [],
    cancel: ended ? { at: queued.createdAt + 61_000, reason: "cancelled by its client" } : null,
    now: updatedAt + 1_000,
    ...rest,
  };
}

export function written(...texts: string[]): JobResult {
  return {
    items: texts.map((text, index) => ({ id: `msg_${index}`, type: "message", text })),
    finish: "completed",
    usage: { inputTokens: 12, outputTokens: 34 },
  };
}

export function failedWith(code: ProblemCode, detail = "It went wrong. Try again."): TaskView {
  return viewIn("failed", { task: { outcome: { kind: "error", problem: { code, detail } } } });
}

const outcomes: Partial<Record<TaskStatus, Outcome>> = {
  succeeded: { kind: "result", result: written("A report.") },
  failed: { kind: "error", problem: { code: "model_load_failed", detail: "The file is cut short. Fetch it again." } },
  cancelled: { kind: "cancelled", reason: "cancelled by its client" },
};
