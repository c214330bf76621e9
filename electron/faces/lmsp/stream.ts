import type { TaskEvent } from "../../../shared/event";
import type { Task } from "../../../shared/task";
import type { SseMessage } from "../../http/sse";
import { projectEvent } from "./events";

/** `current` reads the task anew: the final event tells the outcome, which the task did not have when we began. */
export async function* projectEvents(
  task: Task,
  batches: AsyncIterable<readonly TaskEvent[]>,
  current: () => Task,
): AsyncGenerator<readonly SseMessage[], void> {
  for await (const batch of batches) {
    const hasEnded = batch.at(-1)?.body.type === "ended";
    const shown = hasEnded ? current() : task;
    yield batch.map((event) => projectEvent(shown, event));
  }
}
