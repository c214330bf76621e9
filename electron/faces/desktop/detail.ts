import { z } from "zod";
import type { Sample, TaskDetail } from "../../../shared/desktop/rows";
import type { TaskEvent } from "../../../shared/event";
import type { Json } from "../../../shared/json";
import type { Question } from "../../../shared/question";
import type { Change, JobResult, OutputItem, Task } from "../../../shared/task";
import type { LiveRun } from "../../engine/live-run";
import { askedIn, viewOf } from "./questions";
import { rowOf } from "./rows";

/** More moments than a timeline has pixels are of no use. */
const mostSamples = 600;

/** Everything of one task. `events` are all that are kept; an ended task's output stands in its outcome as well. */
export function detailOf(
  task: Task,
  input: Json,
  changes: readonly Change[],
  questions: readonly Question[],
  events: readonly TaskEvent[],
  run: LiveRun | undefined,
  rev: number,
): TaskDetail {
  const { outcome } = task;
  const asked = askedFor(input);
  return {
    row: rowOf(
      task,
      run,
      askedIn(task, () => questions),
    ),
    messages: asked.messages,
    options: asked.options,
    changes: [...changes],
    questions: questions.map(viewOf),
    output: outcome?.kind === "result" ? [...outcome.result.items] : outputOf(events),
    data: outcome?.kind === "result" ? dataOf(outcome.result) : null,
    samples: thinned(samplesOf(events, changes)),
    firstTokenAt: events.find(({ body }) => body.type === "delta")?.at ?? null,
    usage: outcome?.kind === "result" ? { ...outcome.result.usage } : null,
    finish: outcome?.kind === "result" ? outcome.result.finish : null,
    rev,
  };
}

/** As it goes over the channel: JSON of its own. */
function dataOf({ data }: JobResult): TaskDetail["data"] {
  return data === undefined ? null : z.json().parse(data);
}

/** The output of a run so far, joined from its deltas. */
export function outputOf(events: readonly TaskEvent[]): OutputItem[] {
  const items: OutputItem[] = [];
  for (const { body } of events) {
    if (body.type === "item_opened") items[body.index] = { ...body.item, text: "" };
    if (body.type !== "delta") continue;
    items[body.index] = { ...body.item, text: (items[body.index]?.text ?? "") + body.text };
  }
  return items;
}

/** A sample belongs to the attempt of the last change before it. */
export function samplesOf(events: readonly TaskEvent[], changes: readonly Change[]): Sample[] {
  let next = 0;
  return events.flatMap(({ at, rev, body }) => {
    while ((changes[next]?.rev ?? rev + 1) <= rev) next += 1;
    const attempt = changes[next - 1]?.attempt ?? 1;
    if (body.type !== "delta" && body.type !== "text_closed") return [];
    return body.tokens.length === 0 ? [] : [{ at, attempt, tokens: body.tokens.length }];
  });
}

/** Neighbours are added up until few enough are left. */
function thinned(samples: readonly Sample[]): Sample[] {
  const step = Math.ceil(samples.length / mostSamples);
  if (step <= 1) return [...samples];
  const kept: Sample[] = [];
  for (let from = 0; from < samples.length; from += step) {
    const group = samples.slice(from, from + step);
    const last = group.at(-1);
    if (last !== undefined) kept.push({ ...last, tokens: group.reduce((sum, { tokens }) => sum + tokens, 0) });
  }
  return kept;
}

/** The conversation and the options of a stored input; a job without a conversation shows its input as options. */
function askedFor(input: Json): Pick<TaskDetail, "messages" | "options"> {
  const { messages, options, ...others } = (input ?? {}) as {
    messages?: TaskDetail["messages"];
    options?: TaskDetail["options"];
  } & TaskDetail["options"];
  return { messages: messages ?? [], options: { ...others, ...options } };
}
