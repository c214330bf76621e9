import type { Finish, OutputItem, OutputType, Task } from "../../../shared/task";
import { problemBody } from "../../http/problem-body";
import { base } from "./caller";
import type { ItemObject, PartObject, ResponseObject, ResponseStatus, TaskObject } from "./schemas";
import { statusOf } from "./statuses";

export function taskUrl(id: string): string {
  return `${base}/tasks/${id}`;
}

export function taskObject(task: Task): TaskObject {
  const { outcome } = task;
  return {
    id: task.id,
    object: "task",
    type: "response",
    status: statusOf[task.status],
    created_at: seconds(task.createdAt),
    updated_at: seconds(task.updatedAt),
    response_id: task.responseId,
    events_url: `${taskUrl(task.id)}/events`,
    on_restart: task.onRestart,
    response: outcome?.kind === "result" ? responseObject(task) : null,
    error: outcome?.kind === "error" ? problemBody(outcome.problem) : null,
  };
}

/** The response of a task that has ended, whichever way. */
export function responseObject(task: Task): ResponseObject {
  if (task.outcome === null) throw new Error(`Task ${task.id} has no outcome yet`);
  if (task.outcome.kind === "cancelled") return unfinishedResponse(task, "cancelled");
  if (task.outcome.kind === "error")
    return { ...unfinishedResponse(task, "failed"), error: problemBody(task.outcome.problem) };
  const { items, finish, usage } = task.outcome.result;
  return {
    ...unfinishedResponse(task, statusOfFinish[finish]),
    output: items.map(itemObject),
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
    incomplete_details: finish === "completed" ? null : { reason: finish },
  };
}

/** The response as it is without an outcome; only of what never changes, so that every replay is the same. */
export function unfinishedResponse(
  task: Pick<Task, "responseId" | "createdAt" | "model">,
  status: ResponseStatus,
): ResponseObject {
  return {
    id: task.responseId,
    object: "response",
    created_at: seconds(task.createdAt),
    status,
    model: task.model,
    output: [],
    usage: null,
    error: null,
    incomplete_details: null,
  };
}

function itemObject({ id, type, text }: OutputItem): ItemObject {
  return itemWith({ id, type }, [partObject(type, text)]);
}

export function itemWith({ id, type }: Pick<OutputItem, "id" | "type">, content: PartObject[]): ItemObject {
  return type === "message" ? { id, type, role: "assistant", content } : { id, type, content };
}

export function partObject(type: OutputType, text: string): PartObject {
  return { type: type === "message" ? "output_text" : "reasoning_text", text };
}

/** LMSP 7.2: a response that ends as incomplete is a task that succeeded. */
const statusOfFinish = {
  completed: "completed",
  max_output_tokens: "incomplete",
  context_length: "incomplete",
} as const satisfies Record<Finish, ResponseStatus>;

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
