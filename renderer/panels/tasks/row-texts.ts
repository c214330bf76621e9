import type { TaskRow } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";
import { type ProblemCode, problems } from "../../../shared/problem";
import { clockOf, percentOf, placeOf, rateOf } from "../../ui/figures";
import { words } from "./words";

/** Who asked: the person, or a client by its name. */
export function askerOf(row: TaskRow): string {
  return row.origin === "desktop" ? words.you : row.client;
}

/** Everything known of who asked; what a caller says of itself is shown as such. */
export function fullAskerOf(row: TaskRow): string {
  const parts = [
    askerOf(row),
    words.protocols[row.origin],
    row.caller === null ? null : words.saysOfItself(row.caller),
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** How long ago it was asked for, while it is not over; how long it took in all, when it is. */
export function timeOf(row: TaskRow, now: number): string {
  return clockOf((isTerminal(row.status) ? row.updatedAt : now) - row.createdAt);
}

export function readingOf(row: TaskRow): number | null {
  return row.status === "running" && row.reading !== null ? percentOf(row.reading.read, row.reading.total) : null;
}

/** What there is to say beside the status: speed, progress, place in the queue, or the reason of a failure. */
export function liveOf(row: TaskRow, place: number | undefined): string | null {
  const reading = readingOf(row);
  if (reading !== null) return `${reading}%`;
  if (row.tokensPerSecond !== null) return rateOf(row.tokensPerSecond);
  if (row.status === "queued" && place !== undefined) return placeOf(place);
  return row.problem === null ? null : reasonOf(row.problem);
}

function reasonOf({ code, detail }: { readonly code: string; readonly detail: string }): string {
  return code in problems ? problems[code as ProblemCode].title : detail;
}
