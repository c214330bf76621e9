import type { TaskEvent } from "../../shared/event";
import type { TaskStatus } from "../../shared/lifecycle";
import type { Change } from "../../shared/task";
import type { ClientRecord } from "../engine/store";
import type { SqlValue } from "./connection";
import { packText, unpackText } from "./text";

export interface EventRow {
  readonly seq: number;
  readonly rev: number;
  readonly at: number;
  readonly body: string;
}

export interface ChangeRow {
  readonly from_status: TaskStatus | null;
  readonly to_status: TaskStatus;
  readonly at: number;
  readonly attempt: number;
  readonly rev: number;
  readonly reason: string | null;
}

export interface ClientRow {
  readonly name: string;
  readonly token_hash: string | null;
  readonly limits: string;
  readonly created_at: number;
  readonly last_seen_at: number | null;
}

export function eventValues({ taskId, seq, rev, at, body }: TaskEvent): SqlValue[] {
  return [packText(taskId), seq, rev, at, JSON.stringify(body)];
}

export function eventOf(taskId: string, { seq, rev, at, body }: EventRow): TaskEvent {
  return { taskId, seq, rev, at, body: JSON.parse(body) };
}

export function changeValues({ taskId, from, to, at, attempt, rev, reason }: Change): SqlValue[] {
  return [packText(taskId), from, to, at, attempt, rev, reason === null ? null : packText(reason)];
}

export function changeOf(taskId: string, row: ChangeRow): Change {
  const { from_status: from, to_status: to, at, attempt, rev, reason } = row;
  return { taskId, from, to, at, attempt, rev, reason: reason === null ? null : unpackText(reason) };
}

export function clientValues({ name, tokenHash, limits, createdAt, lastSeenAt }: ClientRecord): SqlValue[] {
  return [packText(name), tokenHash, JSON.stringify(limits), createdAt, lastSeenAt];
}

export function clientOf(row: ClientRow): ClientRecord {
  return {
    name: unpackText(row.name),
    tokenHash: row.token_hash,
    limits: JSON.parse(row.limits),
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  };
}
