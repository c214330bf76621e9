import type { LmspTask } from "../../lmsp-client";
import { clientNames } from "../plan/planned-task";
import { isShownByLmsp } from "./final-reading";
import type { Stage } from "./stage";

/** After a start every acknowledged task is in its client's list, as its create told of it. */
export async function recount(stage: Stage): Promise<void> {
  const { recorder } = stage;
  const listed = new Map<string, LmspTask>();
  for (const client of clientNames) {
    const path = "/tasks?limit=100";
    const list = await stage.tried(`the list of ${client}`, async () =>
      (await stage.lmsp(client).request(path)).json(),
    );
    const { data = [] } = (list ?? {}) as { data?: readonly LmspTask[] };
    for (const task of data) listed.set(task.id, task);
  }
  for (const { id, created } of recorder.tasks.filter(isShownByLmsp)) {
    const task = listed.get(id);
    if (task === undefined) recorder.broken.push(`after a start the task ${id} is not listed`);
    else recorder.told.push({ what: "status", taskId: id, status: task.status });
    if (task !== undefined && created !== null && !isSame(task, created))
      recorder.broken.push(`after a start the task ${id} is another: ${JSON.stringify(task)}`);
  }
}

function isSame(task: LmspTask, created: Pick<LmspTask, "response_id" | "created_at">): boolean {
  return task.response_id === created.response_id && task.created_at === created.created_at;
}
