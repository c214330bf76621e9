import type { TaskRow } from "../../../shared/desktop/rows";
import type { Task } from "../../../shared/task";
import type { LiveRun } from "../../engine/live-run";

/** A task as a row of the window's list; `run` is what is known of it while it runs, `question` waits for the person. */
export function rowOf(task: Task, run: LiveRun | undefined, question: TaskRow["question"]): TaskRow {
  const { outcome } = task;
  const generating = task.status === "running";
  return {
    id: task.id,
    row: task.row,
    title: task.title,
    client: task.client,
    origin: task.origin,
    caller: task.caller,
    job: task.job,
    model: task.model,
    status: task.status,
    onRestart: task.onRestart,
    attempt: task.attempt,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    expiresAt: task.ttl === null ? null : task.createdAt + task.ttl,
    reading: generating ? (run?.reading ?? null) : null,
    tokens: outcome?.kind === "result" ? outcome.result.usage.outputTokens : (run?.tokens ?? 0),
    tokensPerSecond: generating ? (run?.tokensPerSecond ?? null) : null,
    question,
    problem: outcome?.kind === "error" ? { code: outcome.problem.code, detail: outcome.problem.detail } : null,
    rev: task.rev,
  };
}
