import type { EventBody, TaskEvent } from "../../shared/event";
import type { Question } from "../../shared/question";
import type { Change, Task } from "../../shared/task";

/** A new task for tests; `id` makes it one of its kind. */
export function sampleTask(id: string, given: Partial<Omit<Task, "row">> = {}): Omit<Task, "row"> {
  return {
    id,
    client: "a",
    caller: "curl/8",
    origin: "lmsp",
    listed: true,
    job: "respond",
    title: "Hello",
    model: "m",
    status: "queued",
    onRestart: "fail",
    attempt: 1,
    createdAt: 1_000,
    updatedAt: 1_000,
    responseId: `resp_${id}`,
    ttl: null,
    answers: [],
    faceData: null,
    outcome: null,
    lastSeq: 0,
    eventsExpired: false,
    rev: 1,
    ...given,
  };
}

export function sampleEvent(taskId: string, seq: number, body: EventBody = { type: "created" }): TaskEvent {
  return { taskId, seq, rev: seq + 1, at: 1_000 + seq, body };
}

export function sampleDelta(text: string): EventBody {
  return { type: "delta", index: 0, item: { id: "msg_1", type: "message" }, text, tokens: [1, 2] };
}

export function sampleChange(taskId: string, given: Partial<Change> = {}): Change {
  return { taskId, from: null, to: "queued", at: 1_000, attempt: 1, rev: 1, reason: null, ...given };
}

export function sampleQuestion(taskId: string, id: string, given: Partial<Question> = {}): Question {
  return {
    id,
    taskId,
    key: "style",
    body: { type: "roots" },
    to: ["caller"],
    askedAt: 1_000,
    answered: null,
    ...given,
  };
}
