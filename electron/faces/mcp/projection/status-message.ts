import type { TaskStatus } from "../../../../shared/lifecycle";
import type { Progress } from "../../../../shared/progress";
import type { Finish } from "../../../../shared/task";
import type { TaskView } from "./task-view";

/** What a task is doing, in a few words for a person. */
export function statusMessage(view: TaskView): string {
  return messages[view.task.status](view);
}

const messages: Readonly<Record<TaskStatus, (view: TaskView) => string>> = {
  queued: ({ progress: { position } }) =>
    position === undefined ? "in the queue" : `${ordinal(position)} in the queue`,
  loading: () => "loading the model",
  running: ({ progress }) => working(progress),
  input_required: ({ asked }) =>
    asked.length > 0 ? "waiting for an answer" : "waiting for the person at this desktop",
  cancelling: cancelled,
  succeeded: ({ task: { outcome } }) => (outcome?.kind === "result" ? finished[outcome.result.finish] : "done"),
  failed: ({ task: { outcome } }) => (outcome?.kind === "error" ? firstSentence(outcome.problem.detail) : "failed"),
  cancelled,
};

const finished: Readonly<Record<Finish, string>> = {
  completed: "done",
  max_output_tokens: "done, cut short by the limit of output tokens",
  context_length: "done, cut short by the context length of the model",
};

function cancelled({ cancel }: TaskView): string {
  return cancel?.reason ?? "cancelled";
}

/** Where it is in its own terms, which its job may have a word for, and how the text that it writes now is coming on. */
function working({ step, reading, tokens, tokensPerSecond }: Progress): string {
  const parts = [
    ...(step === undefined ? [] : [step.note || `part ${Math.min(step.done + 1, step.total)} of ${step.total}`]),
    ...textProgress(reading, tokens ?? 0, tokensPerSecond),
  ];
  return parts.length === 0 ? "working" : parts.join(", ");
}

function textProgress(reading: Progress["reading"], tokens: number, perSecond: number | undefined): string[] {
  if (reading !== undefined && reading.read < reading.total)
    return [`reading the prompt ${Math.floor((reading.read / reading.total) * 100)} %`];
  if (tokens === 0) return [];
  return [`${tokens} ${tokens === 1 ? "token" : "tokens"}`, ...(perSecond ? [`${Math.round(perSecond)}/s`] : [])];
}

const ordinals = "next second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

function ordinal(position: number): string {
  return ordinals[position - 1] ?? `number ${position}`;
}

/** A stop ends a sentence only before a space: "simmer.db is full. Free some space." */
function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s)/s.exec(text)?.[0] ?? text;
}
