import type { TaskStatus } from "../../shared/lifecycle";

/**
 * What happened to a task or to a token, and by whom; never what was asked or written, nor a token. A client's own
 * words are in `says` only.
 */
export interface AuditEntry {
  readonly action: AuditAction;
  /** Who did it; of an end or a question, the task's client; null when no valid token came with it. */
  readonly client: string | null;
  /** What the caller says of itself, unverified. */
  readonly says?: string | null;
  readonly taskId?: string;
  /** Of a reading: the task's status then. */
  readonly status?: TaskStatus;
  /** The status a task ended in, what was read, why something was refused. */
  readonly detail?: string;
  /** Of a token: the client that it is for. */
  readonly subject?: string;
  /** Of a refused web page: where it comes from. */
  readonly origin?: string;
  /** Of a question that its client answers by a task of its own: that task's id there. */
  readonly clientTask?: string;
}

export type AuditAction =
  | "created"
  | "ended"
  /** The task, a list, or its events; `retrieved` when what it came to was handed out as a result. */
  | "read"
  | "retrieved"
  | "cancelled"
  /** A task wants to know something; then `sent` each time that an agent is asked. */
  | "asked"
  | "sent"
  | "answered"
  | "declined"
  | "dismissed"
  /** An agent was asked and answered with an error, or with what does not fit the question. */
  | "unanswered"
  | "client_task_created"
  | "client_task_ended"
  | "client_task_cancelled"
  | "refused"
  | "token_created"
  | "token_rotated"
  | "token_revoked"
  /** All tasks at once, of every client. */
  | "backed_up"
  | "exported"
  | "imported"
  /** The monitor saw something that a person should look at. */
  | "warned";

/** Where the audit log goes. Never throws. */
export type Audit = (entry: AuditEntry) => void;

/** Ids of ours are told as they are; any other text that came as an id is a caller's own, and is not. */
export function knownId(id: string): { readonly taskId?: string } {
  return /^task_[0-9A-Z]{26}$/.test(id) ? { taskId: id } : {};
}
