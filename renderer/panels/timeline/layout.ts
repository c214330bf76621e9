import type { Sample } from "../../../shared/desktop/rows";
import { type Tick, ticksOf } from "./axis";
import { answersOf, type Note, notesOf } from "./notes";
import { lengthOf, type Moments, type Phase, phasesOf } from "./phases";
import { bestSecond, curveOf, pathOf, ratesOf } from "./rates";
import { cutShare, cutsOf, type Scale, scaleOf, shortestSegment, uncutOf } from "./scale";
import { type Span, spansOf } from "./spans";

export interface Segment extends Span {
  readonly key: string;
  readonly x: number;
  readonly width: number;
  readonly isCut: boolean;
  /** What is measured in it, as a path in a box of 100 by 100; null when nothing is. */
  readonly area: { readonly line: string; readonly area: string } | null;
}

export interface Layout {
  readonly segments: readonly Segment[];
  readonly ticks: readonly Tick[];
  readonly notes: readonly Note[];
  readonly start: number;
  /** Where the last stretch ends: now, or the end of the task. */
  readonly endX: number;
  /** What the axis spans, in milliseconds. */
  readonly range: number;
}

export interface Plan {
  readonly phases: readonly Phase[];
  readonly spans: readonly Span[];
  readonly cuts: ReadonlySet<number>;
  readonly isLive: boolean;
  /** Milliseconds that are not cut. */
  readonly elapsed: number;
  /** The width left to what is not cut. */
  readonly width: number;
}

/** What is drawn, before it is known how long the axis is. */
export function planOf(moments: Moments, now: number, width: number): Plan {
  const phases = phasesOf(moments, now);
  const stretches = spansOf(phases, 0);
  const elapsed = uncutOf(stretches, cutsOf(stretches));
  const spans = spansOf(phases, width > 0 ? (shortestSegment * elapsed) / width : 0);
  const cuts = cutsOf(spans);
  return {
    phases,
    spans,
    cuts,
    isLive: phases.at(-1)?.isLive === true,
    elapsed: uncutOf(spans, cuts),
    width: width * (1 - cuts.size * cutShare),
  };
}

export interface LayoutOptions {
  readonly width: number;
  /** Milliseconds that the uncut width stands for while the task runs. */
  readonly range: number;
  /** Room for the end mark, when the task is over. */
  readonly endRoom: number;
  /** The share of the prompt that is read, while it is read. */
  readonly read: number | null;
  readonly moments: Moments;
}

/** An ended task of a moment does not fill the width with a moment. */
const shortestRange = 1_000;

export function layoutOf(plan: Plan, options: LayoutOptions): Layout {
  const { spans, cuts } = plan;
  const { width, moments } = options;
  const rateBefore = plan.width / options.range;
  const scale = scaleOf(spans, { cuts, width, taken: takenOf(plan, options), rateBefore });
  const endX = scale.edges.at(-1) ?? 0;
  const most = bestOf(plan.phases, moments.samples) * 1.1;
  return {
    segments: spans.map((span, index) => segmentOf(span, index, scale, most, options)),
    ticks: ticksOf(spans, scale, { width, nowX: plan.isLive ? endX : null }),
    notes: notesOf(answersOf(moments.changes), scale.x, width),
    start: spans[0]?.from ?? 0,
    endX,
    range: scale.rate > 0 ? width / scale.rate : options.range,
  };
}

/** How much of the width is behind: the rest is time to come, or room for the end mark. */
function takenOf(plan: Plan, { width, range, endRoom }: LayoutOptions): number {
  const cutWidth = width - plan.width;
  if (plan.isLive) return cutWidth + plan.width * Math.min(1, plan.elapsed / range);
  const taken = cutWidth + plan.width * Math.min(1, plan.elapsed / shortestRange);
  return Math.min(taken, width - endRoom);
}

function segmentOf(span: Span, index: number, scale: Scale, most: number, options: LayoutOptions): Segment {
  const [x, right] = [scale.edges[index] ?? 0, scale.edges[index + 1] ?? 0];
  const width = right - x;
  return {
    ...span,
    key: `${index}`,
    x,
    width,
    isCut: scale.cuts.has(index),
    area: areaOf(span, width, most, options),
  };
}

/** Generating shows tokens a second; what was loaded or read rose from nothing to all of it. */
function areaOf(span: Span, width: number, most: number, { moments, read }: LayoutOptions): Segment["area"] {
  if (span.phases.length > 1) return null;
  if (span.kind === "generating") {
    const curve = curveOf(moments.samples, span.from, span.to);
    return curve.times.length > 1 ? pathOf(ratesOf(curve, span, width), most) : null;
  }
  if (span.kind === "reading" && span.isLive) return read === null ? null : pathOf([0, read], 1);
  const isDone = isFollowed(span, moments) && (span.kind === "loading" || span.kind === "reading");
  return isDone ? pathOf([0, 1], 1) : null;
}

/** Whether it was done: loading led to running, reading to a first token. Otherwise its measure is not known. */
function isFollowed({ kind, to }: Span, { changes, firstTokenAt, samples }: Moments): boolean {
  if (kind === "loading") return changes.some((change) => change.at === to && change.to === "running");
  return firstTokenAt === to || samples.some(({ at }) => at === to);
}

function bestOf(phases: readonly Phase[], samples: readonly Sample[]): number {
  const generating = phases.filter((phase) => phase.kind === "generating" && lengthOf(phase) > 0);
  return Math.max(0, ...generating.map(({ from, to }) => bestSecond(curveOf(samples, from, to), from, to)));
}
