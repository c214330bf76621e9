import type { Json } from "../../shared/json";
import type { Task } from "../../shared/task";
import type { Idempotency } from "./store";

/** A task to be created, with what decides whether it may be. */
export interface Draft
  extends Pick<
    Task,
    "client" | "caller" | "origin" | "listed" | "job" | "title" | "model" | "onRestart" | "ttl" | "answers" | "faceData"
  > {
  readonly input: Json;
  readonly idempotency: Idempotency | null;
  /** The most tasks that may wait: of this client, and of all. */
  readonly waitingLimits: { readonly client: number; readonly total: number };
}

export interface Created {
  readonly task: Task;
  /** True when the idempotency key had made this task before. */
  readonly replayed: boolean;
}

/** What a new task looks like before it has its place in the order. */
export function newTask(
  { input: _input, idempotency: _idempotency, waitingLimits: _limits, ...draft }: Draft,
  given: { readonly id: string; readonly responseId: string; readonly at: number; readonly rev: number },
): Omit<Task, "row"> {
  return {
    ...draft,
    id: given.id,
    responseId: given.responseId,
    status: "queued",
    attempt: 1,
    createdAt: given.at,
    updatedAt: given.at,
    outcome: null,
    lastSeq: 0,
    eventsExpired: false,
    rev: given.rev,
  };
}
