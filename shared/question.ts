import type { FormSchema } from "./form-schema";
import type { Json } from "./json";

/** Who may answer: the caller that made the task, the person at this desktop. */
export type Answerer = "caller" | "person";

/** What a job may ask: a form of anyone; the others only of a caller whose protocol has them (MCP). */
export type QuestionBody =
  | { readonly type: "form"; readonly message: string; readonly schema: FormSchema }
  /** A text from the caller's own model; `request` is MCP's `sampling/createMessage` params. */
  | { readonly type: "sampling"; readonly request: { readonly [name: string]: Json } }
  /** The folders that the caller works in. */
  | { readonly type: "roots" };

export const questionTypes = ["form", "sampling", "roots"] as const;
export type QuestionType = QuestionBody["type"];

/** Asked by a job while its task runs, stored until it is answered, then kept with its answer. Times are milliseconds. */
export interface Question {
  /** `q_` and a ULID: never used for another question. */
  readonly id: string;
  readonly taskId: string;
  /** The job's own name for it: a later attempt that asks again under it gets the answer, or goes on waiting. */
  readonly key: string;
  readonly body: QuestionBody;
  /** To whom it goes; decided when it is asked. */
  readonly to: readonly Answerer[];
  readonly askedAt: number;
  /** Null while it is open. */
  readonly answered: { readonly answer: Answer; readonly by: string; readonly at: number } | null;
}

/** Declining and dismissing are answers too. `content` of an accepted form has its fields, checked by its schema. */
export type Answer =
  | { readonly action: "accept"; readonly content: Json }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };
