import type { TaskEvent } from "../../shared/event";
import type { Change, Task } from "../../shared/task";

/** What the ledger publishes after it is committed. Facts inform; they never steer another component. */
export type Fact =
  | { readonly kind: "moved"; readonly task: Task; readonly change: Change }
  | { readonly kind: "appended"; readonly taskId: string; readonly events: readonly TaskEvent[] }
  /** Prompt tokens read so far. Told, never stored. */
  | { readonly kind: "reading"; readonly taskId: string; readonly read: number; readonly total: number }
  | { readonly kind: "removed"; readonly taskId: string; readonly client: string };

export type FactListener = (fact: Fact) => void;
