import type { TaskService } from "../../../electron/engine/task-service";
import type { Question } from "../../../shared/question";

const person = { client: "desktop", says: null, seesAll: true } as const;

/** A person at this desktop who answers what a question says shall be answered, also those from before the start. */
export function seatPerson(service: TaskService): void {
  service.attachPerson();
  service.subscribe(person, (fact) => {
    // Not within the commit that asked.
    if (fact.kind === "asked") setImmediate(() => answer(service, fact.question));
  });
  for (const { id } of service.list(person, {}, { limit: 10_000, statuses: ["input_required"] }))
    for (const question of service.questions(person, {}, id)) answer(service, question);
}

function answer(service: TaskService, { id, taskId, body, answered }: Question): void {
  if (answered !== null || body.type !== "form") return;
  try {
    if (body.message.endsWith("(accept)"))
      service.answer(person, {}, taskId, id, { action: "accept", content: { answer: body.message } });
    if (body.message.endsWith("(decline)")) service.answer(person, {}, taskId, id, { action: "decline" });
  } catch {
    // Its task was cancelled meanwhile.
  }
}
