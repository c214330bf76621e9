import { type Frame, finalEvents, frames } from "../../lmsp-client";
import type { PlannedTask } from "../plan/planned-task";
import type { Reading, SeenTask } from "../record/recorder";
import type { Stage } from "./stage";

/** All readers of the task, each from where it was, to the final event or the end of the host. */
export async function followAll(stage: Stage, task: SeenTask): Promise<void> {
  await Promise.all(task.plan.readers.map((drops, index) => follow(stage, task, `reader ${index}`, drops)));
}

async function follow(stage: Stage, task: SeenTask, reader: string, drops: readonly number[]): Promise<void> {
  const { recorder, ending } = stage;
  while (!ending.aborted && !recorder.hasReadEnd(task.id, reader)) {
    const most = drops[recorder.connections(task.id, reader)] ?? Number.POSITIVE_INFINITY;
    const reading = recorder.open(task.id, reader);
    const done = await stage.tried(`the stream of ${task.id}`, () => read(stage, task.plan, reading, most));
    if (done === undefined) reading.end = "cut";
    if (done !== "left") return;
  }
}

/** One connection. */
async function read(stage: Stage, plan: PlannedTask, reading: Reading, most: number): Promise<"closed" | "left"> {
  const leaving = new AbortController();
  const by = reading.reader === "reader 0" ? "header" : "query";
  const response = await stage.lmsp(plan.client).events(reading.taskId, reading.after ?? undefined, by, leaving.signal);
  for await (const frame of frames(response)) {
    take(stage, reading, frame);
    // The final event is the last one: what comes behind it is to be seen.
    if (reading.frames.length >= most && !finalEvents.includes(frame.event)) {
      reading.end = "left";
      break;
    }
  }
  if (reading.end === "left") {
    leaving.abort();
    return "left";
  }
  // A host that stops in order ends its streams without a final event.
  reading.end = stage.ending.aborted ? "cut" : "closed";
  return "closed";
}

function take(stage: Stage, reading: Reading, frame: Frame): void {
  reading.frames.push(frame);
  stage.recorder.happened("event read");
}
