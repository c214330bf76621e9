import { lengthOf } from "./phases";
import type { Scale, Stretch } from "./scale";

export interface Tick {
  readonly x: number;
  /** Milliseconds since the first change. */
  readonly offset: number;
  readonly hasLabel: boolean;
  /** Its label stands on its left, for there is no room on its right. */
  readonly isAtEdge: boolean;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 6, 12].map((count) => count * hour),
];

/** Labels stand so far apart. */
const labelRoom = 64;
const labelWidth = 50;
/** The cap of the now line takes so much to each side. */
const capHalf = 22;

/** The smallest step that keeps the labels apart; above half a day it doubles. */
export function stepFor(rate: number): number {
  const step = steps.find((one) => one * rate >= labelRoom);
  if (step !== undefined) return step;
  let long = 24 * hour;
  while (rate > 0 && long * rate < labelRoom) long *= 2;
  return long;
}

export function stepAfter(step: number): number {
  return steps.find((one) => one > step) ?? step * 2;
}

export interface AxisOptions {
  readonly width: number;
  /** Where the now line stands; null when the task is over. */
  readonly nowX: number | null;
}

/** Lines at whole steps of true time, in whatever is not cut, and on to the right edge. */
export function ticksOf(stretches: readonly Stretch[], scale: Scale, { width, nowX }: AxisOptions): Tick[] {
  const start = stretches[0]?.from ?? 0;
  const step = stepFor(scale.rate);
  const offsets = [0, ...stretches.flatMap((one, index) => (scale.cuts.has(index) ? [] : inside(one, start, step)))];
  const end = (stretches.at(-1)?.to ?? start) - start;
  const last = scale.edges.at(-1) ?? 0;
  const after = scale.rate > 0 ? (width - last) / scale.rate : 0;
  offsets.push(...inside({ from: start + end, to: start + end + after }, start, step));
  return labelled(
    [...new Set(offsets)].map((offset) => ({ offset, x: scale.x(start + offset) })),
    width,
    nowX,
  );
}

function inside(stretch: Omit<Stretch, "isIdle">, start: number, step: number): number[] {
  if (lengthOf(stretch) === 0) return [];
  const first = Math.ceil((stretch.from - start) / step) * step;
  const offsets: number[] = [];
  for (let offset = first; offset <= stretch.to - start; offset += step) offsets.push(offset);
  return offsets;
}

/** A label keeps away from the one before it, from the now cap, and from both edges; its line stays. */
function labelled(places: readonly Pick<Tick, "x" | "offset">[], width: number, nowX: number | null): Tick[] {
  let free = Number.NEGATIVE_INFINITY;
  return places.map(({ x, offset }) => {
    const isAtEdge = x + labelWidth > width;
    const left = isAtEdge ? x - labelWidth : x;
    const touchesNow = nowX !== null && left < nowX + capHalf && left + labelWidth - 8 > nowX - capHalf;
    const hasLabel = !touchesNow && left >= free && x <= width + 0.5;
    if (hasLabel) free = left + labelWidth;
    return { x, offset, hasLabel, isAtEdge };
  });
}
