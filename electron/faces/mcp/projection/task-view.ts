import type { Progress } from "../../../../shared/progress";
import type { Question, QuestionType } from "../../../../shared/question";
import type { Change, Task } from "../../../../shared/task";
import type { Caller } from "../../../engine/caller";
import type { TaskService } from "../../../engine/task-service";

/** All that the projections need of a task, as one caller with these capabilities sees it. */
export interface TaskView {
  readonly task: Task;
  readonly progress: Progress;
  /** Open questions that this caller can answer, oldest first. */
  readonly asked: readonly Question[];
  /** The move that began the end of a cancelled task; what MCP shows of it is frozen there. */
  readonly cancel: Pick<Change, "at" | "reason"> | null;
  readonly now: number;
}

/** The same task reads the same for whoever asks, but for the questions. */
export function viewOf(
  service: TaskService,
  caller: Caller,
  task: Task,
  answers: readonly QuestionType[],
  now: number,
): TaskView {
  const scope = { listed: task.listed };
  return {
    task,
    progress: service.progress(task),
    asked: task.status === "input_required" ? askedOf(service.questions(caller, scope, task.id), answers) : [],
    cancel: isCancelled(task) ? cancelIn(service.changes(caller, scope, task.id)) : null,
    now,
  };
}

/** A task as the commit that made it left it. */
export function newView(task: Task, progress: Progress, now: number): TaskView {
  return { task, progress, asked: [], cancel: null, now };
}

/** Open questions to the caller, of kinds that it declared. */
export function askedOf(questions: readonly Question[], answers: readonly QuestionType[]): readonly Question[] {
  return questions.filter(
    ({ answered, to, body }) => answered === null && to.includes("caller") && answers.includes(body.type),
  );
}

function isCancelled({ status }: Task): boolean {
  return status === "cancelling" || status === "cancelled";
}

/** A task that was running goes through `cancelling`; one that waited is cancelled by one move. */
function cancelIn(changes: readonly Change[]): TaskView["cancel"] {
  return changes.find(({ to }) => to === "cancelling") ?? changes.find(({ to }) => to === "cancelled") ?? null;
}
