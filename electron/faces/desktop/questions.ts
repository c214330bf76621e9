import type { QuestionView } from "../../../shared/desktop/questions";
import type { TaskRow } from "../../../shared/desktop/rows";
import type { Question, QuestionBody } from "../../../shared/question";
import type { Task } from "../../../shared/task";
import type { Caller } from "../../engine/caller";

/** The person at this machine: the window's tasks are theirs, and they may see and stop everyone's. */
export const person: Caller = { client: "desktop", says: null, seesAll: true };

/** A row tells no more of a message than this: enough to be read out, or shown in a list. */
const longestMessage = 300;

export function viewOf({ id, taskId, askedAt, body, to, answered }: Question): QuestionView {
  return {
    id,
    taskId,
    askedAt,
    body: bodyOf(body),
    forPerson: to.includes("person"),
    forCaller: to.includes("caller"),
    answered: answered && { action: answered.answer.action, by: nameOf(answered.by), at: answered.at },
  };
}

/** What only the caller's own program can answer is not shown: it may be a whole conversation. */
function bodyOf(body: QuestionBody): QuestionView["body"] {
  if (body.type !== "form") return { type: body.type };
  return { type: "form", message: body.message, schema: body.schema };
}

function nameOf(client: string): string | null {
  return client === person.client ? null : client;
}

/** The newest of these that waits for the person; `questions` are read only while the task has any open. */
export function askedIn(task: Task, questions: (id: string) => readonly Question[]): TaskRow["question"] {
  if (task.status !== "input_required") return null;
  const open = questions(task.id).findLast(({ to, answered }) => to.includes("person") && answered === null);
  return open?.body.type === "form" ? { id: open.id, message: open.body.message.slice(0, longestMessage) } : null;
}
