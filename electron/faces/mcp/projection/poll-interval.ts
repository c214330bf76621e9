import { isTerminal } from "../../../../shared/lifecycle";
import type { TaskView } from "./task-view";

/** Milliseconds. Polling faster shows nothing new; slower, a short job seems long. */
const shortest = 500;
const longest = 2_000;
const unknown = 1_000;

/** How many polls what is left is worth. */
const polls = 5;

/** How long a client should wait before it asks again; undefined when nothing will change any more. */
export function pollInterval(view: TaskView): number | undefined {
  const { status } = view.task;
  if (isTerminal(status) || status === "cancelling") return undefined;
  const left = status === "queued" ? waitLeft(view) : workLeft(view);
  return left === undefined ? unknown : Math.round(Math.min(longest, Math.max(shortest, left / polls)));
}

/** The further back, the longer; how long the others take is not known. */
function waitLeft({ progress: { position } }: TaskView): number | undefined {
  return position === undefined ? undefined : position * longest;
}

/** What is left takes as long as what is done took. */
function workLeft({ task, progress: { step, reading }, now }: TaskView): number | undefined {
  const [done, total] = step ? [step.done, step.total] : [reading?.read ?? 0, reading?.total ?? 0];
  const sofar = now - task.updatedAt;
  return done > 0 && done < total ? (sofar / done) * (total - done) : undefined;
}
