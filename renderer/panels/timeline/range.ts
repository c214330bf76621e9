import { stepAfter, stepFor } from "./axis";

/** Before the task fills this much of the range, the range holds still. */
const full = 0.92;
const smallest = 5_000;
/** When it grows, it grows by so much at least. */
const growth = 1.4;

/**
 * How many milliseconds the width stands for while a task runs. It holds still until the task nearly fills it, then
 * grows by one class of axis steps: it never creeps with every frame.
 */
export function rangeFor(before: number | null, elapsed: number, width: number): number {
  if (before === null) return firstRange(elapsed, width);
  if (elapsed <= before * full) return before;
  return endFor(Math.max(elapsed, before * growth * full), stepAfter(stepFor(width / before)));
}

function firstRange(elapsed: number, width: number): number {
  const rough = Math.max(smallest, elapsed / full);
  return Math.max(smallest, endFor(elapsed, stepFor(width / rough)));
}

/** The second tick after now, or a later one when now would stand too near to it. */
function endFor(elapsed: number, step: number): number {
  const least = elapsed / full + step / 10;
  return Math.max(Math.floor(elapsed / step) + 2, Math.ceil(least / step)) * step;
}
