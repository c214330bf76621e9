import { ProblemError } from "../../../../shared/problem";
import type { Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { FaceParts } from "../face-parts";
import { viewOf } from "../projection/task-view";
import { toolOutcome } from "../projection/tool-result";
import { type DetailedTask, detailedTask } from "./detailed-task";
import type { Exchange } from "./exchange";
import { giveAnswers } from "./give-answers";
import type { RequestCapabilities } from "./request-capabilities";

/** MCP shows every task of the client that was made to be found again. */
export const taskScope = { listed: true } as const;

/** What SEP-2663 asks about one task; the task is the client's own. */
export const taskMethods = {
  "tasks/get": {
    doing: "retrieve task",
    answer(parts: FaceParts, { id }: Task, { caller, declared }: Exchange): object {
      const task = parts.service.get(caller, taskScope, id);
      if (toolOutcome(task) !== undefined) parts.service.retrieved(caller, task);
      return showTask(parts, caller, declared, task);
    },
  },
  "tasks/update": {
    doing: "update task",
    answer({ service }: FaceParts, { id }: Task, { caller, context }: Exchange): object {
      // The SDK takes the responses out of the params.
      giveAnswers(service, caller, taskScope, id, context.mcpReq.inputResponses ?? {});
      return {};
    },
  },
  "tasks/cancel": {
    doing: "cancel task",
    answer({ service }: FaceParts, { id }: Task, { caller }: Exchange): object {
      try {
        service.cancel(caller, taskScope, id);
      } catch (error) {
        // A request to cancel is taken also when the task has ended.
        if (!(error instanceof ProblemError) || error.problem.code !== "task_not_cancelable") throw error;
      }
      return {};
    },
  },
} as const;

/** The task with its details, as a request that declares this may see it. */
export function showTask(
  { service, clock }: FaceParts,
  caller: Caller,
  { answers }: RequestCapabilities,
  task: Task,
): DetailedTask {
  const view = viewOf(service, caller, task, answers, clock.now());
  return detailedTask(view, service.input(caller, taskScope, task.id));
}
