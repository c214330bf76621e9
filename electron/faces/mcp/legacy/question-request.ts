import type { Question } from "../../../../shared/question";
import type { Task } from "../../../../shared/task";
import { inputRequestOf } from "../projection/questions";
import { aboutTask } from "./related-task";

export interface QuestionRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The request that asks a question. `fault` says what was wrong with the last answer to it. */
export function questionRequest({ id, listed }: Task, { body }: Question, fault: string | undefined): QuestionRequest {
  const asked = body.type === "form" && fault !== undefined ? { ...body, message: again(body.message, fault) } : body;
  const { method, params } = inputRequestOf(asked);
  // 2025-11-25: a request that belongs to a task says so. A plain call's task is nobody's to know.
  return { method, params: { ...params, ...(listed ? aboutTask(id) : {}) } };
}

function again(message: string, fault: string): string {
  return `${message}\n\nThe last answer could not be used: ${fault}`;
}
