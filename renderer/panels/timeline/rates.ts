import type { Sample } from "../../../shared/desktop/rows";

/** How many tokens there were at a moment. Between two samples they come evenly. */
export interface Curve {
  readonly times: readonly number[];
  readonly totals: readonly number[];
}

const second = 1_000;
/** Under so many samples a curve would be made up: the top is flat. */
const fewest = 3;
const pixelsPerPoint = 3;
/** Tokens come one by one; a rate is the mean of at least so long. */
const shortestMean = 500;
/** A longer pause of what runs is shown as one. */
const longestPause = 2_000;

/** The tokens of one generating phase. The first sample belongs to its beginning. */
export function curveOf(samples: readonly Sample[], from: number, to: number): Curve {
  const times = [from];
  const totals = [0];
  for (const { at, tokens } of samples) {
    if (at < from || at > to) continue;
    times.push(Math.max(at, times.at(-1) ?? from));
    totals.push((totals.at(-1) ?? 0) + tokens);
  }
  return { times, totals };
}

export function totalOf(curve: Curve): number {
  return curve.totals.at(-1) ?? 0;
}

/** Tokens that had come by `at`. */
export function tokensAt({ times, totals }: Curve, at: number): number {
  const after = firstAfter(times, at);
  if (after === 0) return 0;
  const [leftTime, leftTotal] = [times[after - 1] ?? at, totals[after - 1] ?? 0];
  const rightTime = times[after];
  if (rightTime === undefined || rightTime === leftTime) return leftTotal;
  return leftTotal + ((totals[after] ?? leftTotal) - leftTotal) * ((at - leftTime) / (rightTime - leftTime));
}

/** The place of the first time later than `at`, found by halving. */
function firstAfter(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The most tokens per second that any second had; of a shorter phase, its mean. */
export function bestSecond(curve: Curve, from: number, to: number): number {
  const length = to - from;
  if (length <= 0) return 0;
  if (length < second) return (totalOf(curve) * second) / length;
  const starts = curve.times.filter((at) => at + second <= to);
  return Math.max(0, ...starts.map((at) => tokensAt(curve, at + second) - tokensAt(curve, at)));
}

/**
 * Rates of a phase from left to right, one for every few pixels. While it runs, the moments since the last token say
 * nothing yet: the rate there is what it was, unless nothing comes for long.
 */
export function ratesOf(
  curve: Curve,
  { from, to, isLive }: { readonly from: number; readonly to: number; readonly isLive: boolean },
  width: number,
): number[] {
  const length = to - from;
  if (length <= 0) return [0, 0];
  const mean = (totalOf(curve) * second) / length;
  if (curve.times.length - 1 < fewest) return [mean, mean];
  const points = Math.max(2, Math.floor(width / pixelsPerPoint));
  const reach = Math.min(length / 2, Math.max(length / points / 2, shortestMean));
  const last = curve.times.at(-1) ?? to;
  const end = isLive && to - last < longestPause && last - reach > from ? last : to;
  return Array.from({ length: points }, (_, index) => {
    const at = Math.min(from + (length * index) / (points - 1), end);
    const [left, right] = [Math.max(from, at - reach), Math.min(end, at + reach)];
    return ((tokensAt(curve, right) - tokensAt(curve, left)) * second) / (right - left);
  });
}

/** A line in a box of 100 by 100, whose top is `most`, and the area under it. */
export function pathOf(values: readonly number[], most: number): { readonly line: string; readonly area: string } {
  const last = Math.max(1, values.length - 1);
  const points = values.map((value, index) => {
    const share = most > 0 ? Math.min(1, Math.max(0, value / most)) : 0;
    return `${round((index * 100) / last)} ${round(100 - share * 100)}`;
  });
  const line = `M${points.join("L")}`;
  return { line, area: `${line}L100 100L0 100Z` };
}

const round = (value: number) => Math.round(value * 100) / 100;
