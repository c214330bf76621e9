import { type Frame, type LmspTask, outputText } from "../../lmsp-client";
import type { SeenTask } from "../record/recorder";
import type { Stage } from "./stage";

/** What a task that LMSP shows looks like when all has ended. */
export interface FinalTask {
  readonly task: LmspTask;
  readonly text: string;
  /** The whole stream, read once more from its beginning. */
  readonly frames: readonly Frame[];
}

/** By task id. What cannot be read is put down as broken. */
export async function finalReading(stage: Stage): Promise<ReadonlyMap<string, FinalTask>> {
  const read = await Promise.all(stage.recorder.tasks.filter(isShownByLmsp).map((seen) => readFinal(stage, seen)));
  return new Map(read.flatMap((entry) => (entry === undefined ? [] : [entry])));
}

/** LMSP shows texts, whoever asked for them. */
export function isShownByLmsp({ plan }: SeenTask): boolean {
  return plan.work.kind === "text" || plan.work.kind === "model";
}

async function readFinal(stage: Stage, { id, plan }: SeenTask): Promise<[string, FinalTask] | undefined> {
  return await stage.tried(`the final reading of ${id}`, async () => {
    const lmsp = stage.lmsp(plan.client);
    const frames = await lmsp.allEvents(id);
    const task = await lmsp.task(id);
    return [id, { task, text: outputText(task), frames }];
  });
}
