import type { Feed, HostStatus } from "../../shared/desktop/feed";
import type { QuestionView } from "../../shared/desktop/questions";
import type { TaskDetail, TaskRow } from "../../shared/desktop/rows";

/** Messages for tests; each says only what its test is about. */
export function row(id: string, more: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    row: 1,
    title: id,
    client: "desktop",
    origin: "desktop",
    caller: null,
    job: "respond",
    model: "demo",
    status: "running",
    onRestart: "fail",
    attempt: 1,
    createdAt: 1_000,
    updatedAt: 1_000,
    expiresAt: null,
    reading: null,
    tokens: 0,
    tokensPerSecond: null,
    question: null,
    problem: null,
    rev: 1,
    ...more,
  };
}

export function host(more: Partial<HostStatus> = {}): HostStatus {
  const well = { url: "http://127.0.0.1:4517", version: "0.1.0", endpointProblem: null, inferenceProblem: null };
  return { ...well, loadedModels: [], storage: null, warnings: [], ...more };
}

export function feed(from: number, to: number, more: Partial<Feed> = {}): Feed {
  return { from, to, rows: [], removed: [], changes: [], questions: [], output: [], samples: [], ...more };
}

export function text(taskId: string, from: number, added: string, more: Partial<Feed["output"][number]> = {}) {
  const item = { id: `msg_${taskId}`, type: "message" as const };
  return { taskId, attempt: 1, index: 0, item, from, text: added, ...more };
}

export function detail(id: string, output = "", more: Partial<TaskDetail> = {}): TaskDetail {
  return {
    row: row(id),
    messages: [{ role: "user", text: id }],
    options: {},
    changes: [],
    questions: [],
    output: output === "" ? [] : [{ id: `msg_${id}`, type: "message", text: output }],
    data: null,
    samples: [],
    firstTokenAt: null,
    usage: null,
    finish: null,
    rev: 1,
    ...more,
  };
}

/** An open question of this task for the person and its caller. */
export function question(id: string, taskId: string, more: Partial<QuestionView> = {}): QuestionView {
  const body = { type: "form", message: "Which?", schema: { type: "object", properties: {} } } as const;
  return { id, taskId, askedAt: 1_000, body, forPerson: true, forCaller: true, answered: null, ...more };
}
