import type { Outlet } from "./open-session";
import type { QuestionRequest } from "./question-request";

/** A question on its way to one client, on one stream. */
export interface ClientQuestion {
  readonly request: QuestionRequest;
  readonly outlet: Outlet;
  /** Our task that wants to know. */
  readonly about: string;
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal;
  /** Called when the stream closes before there is any answer. The answer may come all the same. */
  readonly lost: () => void;
  /** 2025-11-25, Audit and Logging: a requestor logs the life cycle of its tasks. `clientTask` is the id there. */
  readonly note: (
    action: "client_task_created" | "client_task_ended" | "client_task_cancelled",
    clientTask: string,
  ) => void;
}
