import type { SeenTask } from "../record/recorder";
import type { Stage } from "./stage";

/** Cancels the task when its moment has come, unless the host ends before. */
export async function cancelLater(stage: Stage, task: SeenTask): Promise<void> {
  const { recorder, ending } = stage;
  const { cancelAfter } = task.plan;
  if (cancelAfter === null || recorder.isCancelled(task)) return;
  const from = recorder.count("any");
  if (await recorder.until(() => recorder.count("any") >= from + cancelAfter, ending)) await cancel(stage, task);
}

export async function cancel(stage: Stage, task: SeenTask): Promise<void> {
  stage.recorder.told.push({ what: "cancel sent", taskId: task.id });
  stage.recorder.happened("cancel sent");
  const taken = await stage.tried(`the cancel of ${task.id}`, () => cancels[task.plan.face](stage, task));
  if (taken === undefined) return;
  stage.recorder.told.push({ what: taken ? "cancelled" : "too late", taskId: task.id });
  stage.recorder.happened("cancel answered");
}

/** True when it was taken, false when the task had ended otherwise. */
const cancels = {
  async lmsp(stage, { id, plan }) {
    const response = await stage.lmsp(plan.client).request(`/tasks/${id}/cancel`, { method: "POST" });
    if (response.status !== 200 && response.status !== 409)
      throw new Error(`${response.status}: ${await response.text()}`);
    const { status } = (await response.json()) as { status: unknown };
    if (response.status === 200 && status !== "cancelling" && status !== "cancelled")
      throw new Error(`It is ${status}`);
    return response.status === 200;
  },
  async legacy(stage, { id, plan }) {
    const client = await stage.legacy(plan.client);
    const answer = await client.request("tasks/cancel", { taskId: id });
    // It is refused also when an earlier one, whose answer was lost, was taken.
    return "result" in answer || (await client.task(id)).status === "cancelled";
  },
  async modern(stage, { id, plan }) {
    const client = stage.modern(plan.client);
    // It is acknowledged whatever became of it.
    await client.acknowledged("tasks/cancel", { taskId: id });
    return (await client.task(id)).status === "cancelled";
  },
} as const satisfies Record<SeenTask["plan"]["face"], (stage: Stage, task: SeenTask) => Promise<boolean>>;
