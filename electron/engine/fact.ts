import type { TaskEvent } from "../../shared/event";
import type { Question } from "../../shared/question";
import type { Change, Task } from "../../shared/task";

/** What the ledger publishes after it is committed. Facts inform; they never steer another component. */
export type Fact = { readonly taskId: string; readonly client: string } & (
  | { readonly kind: "moved"; readonly task: Task; readonly change: Change }
  | { readonly kind: "appended"; readonly events: readonly TaskEvent[] }
  | { readonly kind: "asked"; readonly task: Task; readonly question: Question }
  | { readonly kind: "answered"; readonly task: Task; readonly question: Question }
  /** Tokens read so far, before any is written; `written` are those of an earlier attempt. Told, never stored. */
  | { readonly kind: "reading"; readonly read: number; readonly total: number; readonly written: number }
  /** How far the job says it is. Told, never stored. */
  | { readonly kind: "progress"; readonly done: number; readonly total: number; readonly note: string }
  /** It came from a file, and has ended. */
  | { readonly kind: "adopted" }
  | { readonly kind: "removed" }
);

export type FactListener = (fact: Fact) => void;
