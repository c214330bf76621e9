import { ProblemError } from "../../../../shared/problem";
import type { Caller } from "../../../engine/caller";
import type { Scope, TaskService } from "../../../engine/task-service";
import { answerOf } from "../projection/questions";

/**
 * Gives a client's responses, by the id of their question, to a task. A key that names no open question is ignored: it
 * was answered before, or never asked (SEP-2663, tasks/update). One bad answer keeps no other back.
 * Throws ProblemError `invalid_request` for the first answer that does not fit; its question stays open.
 */
export function giveAnswers(
  service: TaskService,
  caller: Caller,
  scope: Scope,
  id: string,
  responses: Readonly<Record<string, unknown>>,
): void {
  const open = service
    .questions(caller, scope, id)
    .filter(({ answered, to }) => answered === null && to.includes("caller"));
  const faults: ProblemError[] = [];
  for (const question of open) {
    if (!Object.hasOwn(responses, question.id)) continue;
    try {
      service.answer(caller, scope, id, question.id, answerOf(question.body.type, responses[question.id]));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      if (error.problem.code === "invalid_request") faults.push(named(question.id, error));
      // Otherwise the person at the window was faster.
      else if (error.problem.code !== "question_answered") throw error;
    }
  }
  if (faults[0] !== undefined) throw faults[0];
}

function named(key: string, { problem }: ProblemError): ProblemError {
  return new ProblemError(problem.code, `inputResponses.${key}: ${problem.detail}`);
}
