/** What happened to a task, and by whom; never what was asked or written. */
export interface AuditEntry {
  readonly action:
    | "created"
    | "ended"
    | "retrieved"
    | "cancelled"
    | "answered"
    | "declined"
    | "dismissed"
    | "refused"
    | "token_created"
    | "token_rotated"
    | "token_revoked";
  /** The client that did it; of an end, the task's own. */
  readonly client: string;
  readonly taskId?: string;
  /** Of a token: the client that it is for. */
  readonly subject?: string;
  /** The status a task ended in, or why something was refused. */
  readonly detail?: string;
}

/** Where the audit log goes. Never throws. */
export type Audit = (entry: AuditEntry) => void;
