import { lengthOf } from "./phases";

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly isIdle: boolean;
}

/** Where moments stand, in pixels. `edges[i]` is where stretch `i` begins; the last edge is the end of the last one. */
export interface Scale {
  readonly edges: readonly number[];
  readonly cuts: ReadonlySet<number>;
  /** Pixels per millisecond where nothing is cut. */
  readonly rate: number;
  readonly x: (at: number) => number;
}

/** An idle stretch that would take more of the width than this … */
const longIdle = 0.4;
/** … gets this much. */
export const cutShare = 0.18;
const mostCuts = 3;
export const shortestSegment = 3;

/** Which idle stretches are cut: those that would leave too little to the others. The longest first. */
export function cutsOf(stretches: readonly Stretch[]): ReadonlySet<number> {
  const cuts = new Set<number>();
  while (cuts.size < mostCuts) {
    const index = longestIdle(stretches, cuts);
    const rest = uncutOf(stretches, cuts);
    const length = lengthAt(stretches, index);
    const share = (1 - cuts.size * cutShare) * (length / rest);
    if (index < 0 || rest === length || !(share > longIdle)) break;
    cuts.add(index);
  }
  return cuts;
}

function longestIdle(stretches: readonly Stretch[], cuts: ReadonlySet<number>): number {
  const candidates = stretches.flatMap(({ isIdle }, index) => (isIdle && !cuts.has(index) ? [index] : []));
  return candidates.reduce((best, i) => (lengthAt(stretches, i) > lengthAt(stretches, best) ? i : best), -1);
}

function lengthAt(stretches: readonly Stretch[], index: number): number {
  const stretch = stretches[index];
  return stretch === undefined ? -1 : lengthOf(stretch);
}

/** How long everything takes that is not cut. */
export function uncutOf(stretches: readonly Stretch[], cuts: ReadonlySet<number>): number {
  return stretches.reduce((sum, stretch, index) => (cuts.has(index) ? sum : sum + lengthOf(stretch)), 0);
}

export interface ScaleOptions {
  readonly cuts: ReadonlySet<number>;
  /** The whole width, and how much of it the stretches may take; what is left is time to come, or room for the end. */
  readonly width: number;
  readonly taken: number;
  /** Pixels per millisecond after the end, when nothing before it has a length. */
  readonly rateBefore: number;
}

/** Shares out the width: by length, but every stretch can be seen; what that costs is taken from the longest. */
export function scaleOf(stretches: readonly Stretch[], { cuts, width, taken, rateBefore }: ScaleOptions): Scale {
  const uncut = uncutOf(stretches, cuts);
  const cutWidth = cutShare * width;
  const room = Math.min(width, Math.max(taken, shortestSegment * stretches.length));
  const rate = uncut > 0 ? Math.max(0, room - cuts.size * cutWidth) / uncut : rateBefore;
  const byLength = stretches.map((stretch, index) => (cuts.has(index) ? cutWidth : lengthOf(stretch) * rate));
  const edges = edgesOf(uncut > 0 || cuts.size > 0 ? withLeast(byLength, room) : byLength.map(() => shortestSegment));
  return { edges, cuts, rate, x: (at) => positionOf(at, stretches, edges, rate) };
}

/** Raises what is too narrow; the longest pay for it, and none falls below the least. The sum becomes `total`. */
export function withLeast(widths: readonly number[], total: number): number[] {
  const least = Math.min(shortestSegment, total / Math.max(1, widths.length));
  const raised = widths.map((width) => Math.max(width, least));
  let owed = raised.reduce((sum, width) => sum + width, 0) - total;
  const byWidth = raised.map((_, index) => index).sort((a, b) => (raised[b] ?? 0) - (raised[a] ?? 0));
  for (const index of byWidth) {
    const width = raised[index] ?? 0;
    const paid = Math.min(owed, width - least);
    raised[index] = width - paid;
    owed -= paid;
  }
  return raised;
}

function edgesOf(widths: readonly number[]): number[] {
  const edges = [0];
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + width);
  return edges;
}

function positionOf(at: number, stretches: readonly Stretch[], edges: readonly number[], rate: number): number {
  for (const [index, stretch] of stretches.entries()) {
    if (at >= stretch.to && index < stretches.length - 1) continue;
    const [left, right] = [edges[index] ?? 0, edges[index + 1] ?? 0];
    if (at > stretch.to) return right + (at - stretch.to) * rate;
    const length = lengthOf(stretch);
    return length === 0 ? left : left + Math.max(0, (at - stretch.from) / length) * (right - left);
  }
  return 0;
}
