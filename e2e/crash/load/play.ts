import type { PlannedTask } from "../plan/planned-task";
import { cancelLater } from "./cancel";
import { playLmsp, playPlain } from "./lmsp-task";
import { playMcp } from "./mcp-task";
import type { Stage } from "./stage";

/** What the client of this task does while a host lives; `isRepeat` in every life after its first. Never rejects. */
export async function play(stage: Stage, plan: PlannedTask, isRepeat: boolean): Promise<void> {
  stage.besides(cancelling(stage, plan));
  await perform(stage, plan, isRepeat);
}

async function cancelling(stage: Stage, plan: PlannedTask): Promise<void> {
  if (plan.cancelAfter === null) return;
  await stage.recorder.until(() => stage.recorder.taskOf(plan) !== undefined, stage.ending);
  const task = stage.recorder.taskOf(plan);
  if (task !== undefined) await cancelLater(stage, task);
}

async function perform(stage: Stage, plan: PlannedTask, isRepeat: boolean): Promise<void> {
  const { work, face } = plan;
  if (work.kind === "plain") return isRepeat ? undefined : await playPlain(stage, plan, work);
  if (face !== "lmsp") return await playMcp(stage, plan, work, isRepeat);
  if (work.kind !== "text") throw new Error(`LMSP has no task of the kind ${work.kind}`);
  await playLmsp(stage, plan, work, isRepeat);
}
