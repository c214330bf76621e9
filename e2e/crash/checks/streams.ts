import type { RestartPolicy } from "../../../shared/lifecycle";
import { type Frame, finalEvents, joinedText } from "../../lmsp-client";
import type { FinalTask } from "../load/final-reading";
import type { Reading } from "../record/recorder";
import type { Check } from "./evidence";

const begin = "response.in_progress";

/** The history as it can be read at the end: from 0, without what a retry superseded, with one end that fits the status. */
export const wholeHistories: Check = ({ stored, final }) =>
  [...final].flatMap(([id, { task, text, frames }]) => {
    const row = stored.tasks.find((one) => one.id === id);
    const policy = row?.onRestart ?? "fail";
    const ends = frames.filter(({ event }) => finalEvents.includes(event));
    const faults = [
      ...numberFaults(frames, policy),
      ...(frames[0]?.event === "response.created" ? [] : ["no response.created"]),
      ...(ends.length === 1 && ends[0] === frames.at(-1) ? [] : [`${ends.length} final events`]),
      ...(endsAs(task, frames.at(-1)) ? [] : [`${frames.at(-1)?.event} at the end of a task that has ${task.status}`]),
      ...(frames.filter(({ event }) => event === begin).length <= 1 ? [] : ["two beginnings"]),
      ...(task.status !== "succeeded" || joinedText(frames) === text ? [] : ["deltas of another text"]),
      ...(sameNumbers(frames, row?.events ?? []) ? [] : ["other events than are stored"]),
    ];
    return faults.map((fault) => `${fault} in the history of ${id} (${policy}): ${shortly(frames)}`);
  });

/** From 0 without a gap; of a retry only from the last attempt on. */
function numberFaults(frames: readonly Frame[], policy: RestartPolicy): string[] {
  const from = policy === "retry" ? frames.findLastIndex(({ event }) => event === begin) : 0;
  const whole = frames.slice(Math.max(from, 1));
  const first = policy === "retry" ? (whole[0]?.id ?? 0) : 1;
  return [
    ...(frames[0]?.id === 0 ? [] : ["no event 0"]),
    ...(whole.every(({ id }, index) => id === first + index) ? [] : ["a gap"]),
    ...(grows(frames) ? [] : ["numbers that do not grow"]),
  ];
}

/** A client's connection brings what the history has: the same bytes, in order, none left out behind where it began. */
export const readAsKept: Check = ({ recorded, stored, final }) =>
  recorded.readings.flatMap((reading) => {
    const policy = stored.tasks.find(({ id }) => id === reading.taskId)?.onRestart ?? "fail";
    const history = final.get(reading.taskId)?.frames;
    if (history === undefined || reading.frames.length === 0) return [];
    const faults = [
      ...connectionFaults(reading, policy),
      ...(policy === "retry" ? keptOfRetry(reading, history) : keptOf(reading, history)),
    ];
    const where = `${reading.reader} of ${reading.taskId} (${policy}) behind ${reading.after}`;
    return faults.map((fault) => `${fault} for ${where}: ${shortly(reading.frames)}`);
  });

function connectionFaults({ frames, after, end }: Reading, policy: RestartPolicy): string[] {
  const next = (after ?? -1) + 1;
  const ended = finalEvents.includes(frames.at(-1)?.event ?? "");
  return [
    ...(grows(frames) ? [] : ["numbers that do not grow"]),
    ...((frames[0]?.id ?? next) >= next ? [] : ["an event that it has already"]),
    ...(policy === "retry" || frames.every(({ id }, index) => id === next + index) ? [] : ["a gap"]),
    ...(end === "closed" && !ended ? ["an end without a final event"] : []),
  ];
}

function keptOf({ frames }: Reading, history: readonly Frame[]): string[] {
  const other = frames.find(({ id, raw }) => history[id]?.raw !== raw);
  return other === undefined ? [] : [`event ${other.id} is not what it was`];
}

/** What is left of the history is what was read; the rest belongs to attempts that were superseded. */
function keptOfRetry({ frames }: Reading, history: readonly Frame[]): string[] {
  const kept = new Map(history.map(({ id, raw }) => [id, raw]));
  const begun = history.findLast(({ event }) => event === begin)?.id ?? Number.POSITIVE_INFINITY;
  const other = frames.find(({ id, raw }) => (id === 0 || id >= begun) && kept.get(id) !== raw);
  return other === undefined ? [] : [`event ${other.id} is not what it was`];
}

/** No number ever stands for two events, whoever read it and when. */
export const oneEventPerNumber: Check = ({ recorded }) => {
  const raws = new Map<string, string>();
  return recorded.readings.flatMap(({ taskId, frames }) =>
    frames.flatMap(({ id, raw }) => {
      const known = raws.get(`${taskId} ${id}`);
      raws.set(`${taskId} ${id}`, raw);
      return known === undefined || known === raw ? [] : [`event ${id} of ${taskId} is both ${known} and ${raw}`];
    }),
  );
};

function grows(frames: readonly Frame[]): boolean {
  return frames.every(({ id }, index) => index === 0 || id > (frames[index - 1]?.id ?? -1));
}

function sameNumbers(frames: readonly Frame[], events: readonly { readonly seq: number }[]): boolean {
  return frames.length === events.length && frames.every(({ id }, index) => events[index]?.seq === id);
}

const endOf: Readonly<Record<string, readonly string[]>> = {
  succeeded: ["response.completed", "response.incomplete"],
  failed: ["response.failed"],
  cancelled: ["response.cancelled"],
};

function endsAs({ status }: FinalTask["task"], last: Frame | undefined): boolean {
  return last !== undefined && (endOf[status]?.includes(last.event) ?? false);
}

function shortly(frames: readonly Frame[]): string {
  return frames.map(({ id, event }) => `${id} ${event.slice("response.".length)}`).join(", ");
}
