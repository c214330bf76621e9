import type { Json } from "../../shared/json";
import type { RestartPolicy, TaskStatus } from "../../shared/lifecycle";
import type { Outcome, Task, TaskOrigin } from "../../shared/task";
import type { Move, TaskPatch } from "../engine/store";
import type { SqlValue } from "./connection";
import { packText, unpackText } from "./text";

export interface TaskRow {
  readonly row: number;
  readonly id: string;
  readonly client: string;
  readonly caller: string | null;
  readonly origin: TaskOrigin;
  readonly listed: number;
  readonly job: string;
  readonly title: string;
  readonly model: string | null;
  readonly status: TaskStatus;
  readonly on_restart: RestartPolicy;
  readonly attempt: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly response_id: string;
  readonly ttl: number | null;
  readonly answers: string;
  readonly face_data: string | null;
  readonly outcome: string | null;
  readonly last_seq: number;
  readonly events_expired: number;
  readonly rev: number;
}

/** The columns of a TaskRow but `row`, in the order of `taskValues`. */
const columns = [
  "id",
  "client",
  "caller",
  "origin",
  "listed",
  "job",
  "title",
  "model",
  "status",
  "on_restart",
  "attempt",
  "created_at",
  "updated_at",
  "response_id",
  "ttl",
  "answers",
  "face_data",
  "outcome",
  "last_seq",
  "events_expired",
  "rev",
] as const satisfies readonly (keyof TaskRow)[];

export const taskColumns = ["row", ...columns].join(", ");
export const insertTask = `INSERT INTO tasks (${columns}) VALUES (${columns.map(() => "?")})`;

export function taskValues(task: Omit<Task, "row">): SqlValue[] {
  return [
    packText(task.id),
    packText(task.client),
    task.caller === null ? null : packText(task.caller),
    task.origin,
    Number(task.listed),
    packText(task.job),
    packText(task.title),
    task.model === null ? null : packText(task.model),
    task.status,
    task.onRestart,
    task.attempt,
    task.createdAt,
    task.updatedAt,
    packText(task.responseId),
    task.ttl,
    JSON.stringify(task.answers),
    json(task.faceData),
    json(task.outcome),
    task.lastSeq,
    Number(task.eventsExpired),
    task.rev,
  ];
}

export function taskOf(row: TaskRow): Task {
  return {
    id: unpackText(row.id),
    row: row.row,
    client: unpackText(row.client),
    caller: row.caller === null ? null : unpackText(row.caller),
    origin: row.origin,
    listed: row.listed !== 0,
    job: unpackText(row.job),
    title: unpackText(row.title),
    model: row.model === null ? null : unpackText(row.model),
    status: row.status,
    onRestart: row.on_restart,
    attempt: row.attempt,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    responseId: unpackText(row.response_id),
    ttl: row.ttl,
    answers: JSON.parse(row.answers),
    faceData: row.face_data === null ? null : JSON.parse(row.face_data),
    outcome: row.outcome === null ? null : JSON.parse(row.outcome),
    lastSeq: row.last_seq,
    eventsExpired: row.events_expired !== 0,
    rev: row.rev,
  };
}

const patched = {
  status: (patch) => ["status", patch.status],
  model: (patch) => ["model", patch.model == null ? null : packText(patch.model)],
  attempt: (patch) => ["attempt", patch.attempt],
  updatedAt: (patch) => ["updated_at", patch.updatedAt],
  outcome: (patch) => ["outcome", json(patch.outcome ?? null)],
  lastSeq: (patch) => ["last_seq", patch.lastSeq],
  rev: (patch) => ["rev", patch.rev],
} as const satisfies Record<keyof TaskPatch, (patch: TaskPatch) => readonly [keyof TaskRow, SqlValue | undefined]>;

/** Names only the columns that the patch has: an index that knows none of them is left alone. */
export function patchValues(patch: TaskPatch): { readonly assignments: string; readonly values: readonly SqlValue[] } {
  const given = (Object.keys(patched) as (keyof TaskPatch)[]).filter((name) => patch[name] !== undefined);
  const pairs = given.map((name) => patched[name](patch));
  return {
    assignments: pairs.map(([column]) => `${column} = ?`).join(", "),
    values: pairs.map(([, value]) => value ?? null),
  };
}

/** Applies rows of `moveValues`, as a JSON array of them, where the status is still the expected one. */
export const moveTasks = `
  UPDATE tasks SET status = move.value ->> 2, attempt = move.value ->> 3, updated_at = move.value ->> 4,
    outcome = move.value ->> 5, last_seq = move.value ->> 6, rev = move.value ->> 7
  FROM json_each(?) AS move
  WHERE tasks.row = move.value ->> 0 AND tasks.status = move.value ->> 1`;

export function moveValues({ task, change }: Move): SqlValue[] {
  const { row, status, attempt, updatedAt, outcome, lastSeq, rev } = task;
  return [row, change.from, status, attempt, updatedAt, json(outcome), lastSeq, rev];
}

function json(value: Json | Outcome): string | null {
  return value === null ? null : JSON.stringify(value);
}
