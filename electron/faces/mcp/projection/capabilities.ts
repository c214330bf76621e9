import type { QuestionType } from "../../../../shared/question";

/** SEP-2663: a request that declares it may be answered with a task. */
export const tasksExtension = "io.modelcontextprotocol/tasks";

/** What we read of the capabilities of a client. */
export interface DeclaredCapabilities {
  readonly elicitation?: Readonly<Record<string, unknown>> | undefined;
  readonly sampling?: unknown;
  readonly roots?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

const declares: Readonly<Record<QuestionType, (capabilities: DeclaredCapabilities) => boolean>> = {
  // 2025-11-25, elicitation: an empty object means form mode; one that names only `url` has no forms.
  form: ({ elicitation }) => elicitation !== undefined && (elicitation.form !== undefined || !("url" in elicitation)),
  sampling: ({ sampling }) => sampling !== undefined,
  roots: ({ roots }) => roots !== undefined,
};

/** The kinds of question that a client with these capabilities can answer. */
export function answersOf(capabilities: DeclaredCapabilities | undefined): readonly QuestionType[] {
  const types: readonly QuestionType[] = ["form", "sampling", "roots"];
  return capabilities === undefined ? [] : types.filter((type) => declares[type](capabilities));
}

export function declaresTasks(capabilities: DeclaredCapabilities | undefined): boolean {
  return capabilities?.extensions?.[tasksExtension] !== undefined;
}
