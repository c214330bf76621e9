import type { InputRequests } from "@modelcontextprotocol/server";
import type { Json } from "../../../../shared/json";
import { inputRequestOf } from "../projection/questions";
import type { SeenStatus } from "../projection/statuses";
import { type ModernTask, modernTask } from "../projection/task-object";
import type { TaskView } from "../projection/task-view";
import { type ToolOutcome, toolOutcome } from "../projection/tool-result";

/** SEP-2663, DetailedTask: the task with what its status calls for. */
export type DetailedTask = ModernTask & { readonly [detail: string]: unknown };

/** `input`: what the task was asked to do. */
export function detailedTask(view: TaskView, input: Json): DetailedTask {
  const task = modernTask(view);
  return { ...task, ...details[task.status](view, toolOutcome(view.task, input)) };
}

export function inputRequests({ asked }: Pick<TaskView, "asked">): InputRequests {
  return Object.fromEntries(asked.map(({ id, body }) => [id, inputRequestOf(body)]));
}

type Details = (view: TaskView, outcome: ToolOutcome | undefined) => Readonly<Record<string, unknown>>;

const details: Readonly<Record<SeenStatus, Details>> = {
  working: () => ({}),
  input_required: (view) => ({ inputRequests: inputRequests(view) }),
  // What the call would have answered, as that answer: every result says its type.
  completed: (_view, outcome) =>
    outcome?.kind === "result" ? { result: { resultType: "complete", ...outcome.result } } : {},
  failed: (_view, outcome) => (outcome?.kind === "error" ? { error: outcome.error } : {}),
  cancelled: () => ({}),
};
