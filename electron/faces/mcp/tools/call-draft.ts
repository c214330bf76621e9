import type { Json } from "../../../../shared/json";
import type { QuestionType } from "../../../../shared/question";
import type { TaskDraft } from "../../../engine/task-service";
import type { TaskTool } from "../../../engine/tool";

/** What a call adds to what its tool makes of its arguments. */
export interface CallTerms {
  /** False for a plain call: its task is the window's to see only. */
  readonly listed: boolean;
  readonly ttl: number | null;
  readonly answers: readonly QuestionType[];
  readonly faceData: Json;
}

/** The task that a call asks for; `args` are valid by the tool's schema. */
export function callDraft(tool: TaskTool, args: Readonly<Record<string, unknown>>, terms: CallTerms): TaskDraft {
  const draft = tool.draft(args);
  return {
    ...terms,
    origin: "mcp",
    job: tool.job,
    title: draft.title,
    input: draft.input,
    model: draft.model,
    unnamedModel: draft.unnamedModel,
    // Whoever waits on the line of a plain call is gone after a restart.
    onRestart: terms.listed ? "resume" : "fail",
    idempotency: null,
  };
}
