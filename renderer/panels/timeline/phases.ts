import type { Sample, TaskDetail } from "../../../shared/desktop/rows";
import { isTerminal, type TaskStatus } from "../../../shared/lifecycle";

export type Change = TaskDetail["changes"][number];

/** In the order of the legend. `closed` is the stretch after the last sign of life of a run that a restart ended. */
export const phaseKinds = ["queued", "loading", "reading", "generating", "waiting", "cancelling", "closed"] as const;
export type PhaseKind = (typeof phaseKinds)[number];

/** A stretch of one recorded status. Neighbours with the same status and attempt together make up the stored stretch. */
export interface Phase {
  readonly kind: PhaseKind;
  readonly status: TaskStatus;
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  /** It goes on: `to` is now. */
  readonly isLive: boolean;
  /** It ended with the host, nobody knows when; `to` is when the host was there again. */
  readonly isInterrupted: boolean;
}

export interface Moments {
  readonly changes: readonly Change[];
  readonly samples: readonly Sample[];
  readonly firstTokenAt: number | null;
}

/** The reason that stands with every change which a restart of the host makes. */
export const hostRestarted = "service restarted";
/** A shorter silence before a restart says nothing. */
const shortestSilence = 1_000;

const kinds = {
  queued: "queued",
  loading: "loading",
  running: "generating",
  input_required: "waiting",
  cancelling: "cancelling",
} as const satisfies Partial<Record<TaskStatus, PhaseKind>>;

/** One phase for each recorded transition; `running` is split where the first token of its attempt came. */
export function phasesOf({ changes, samples, firstTokenAt }: Moments, now: number): Phase[] {
  const begun = new Set<number>();
  return changes.flatMap((change, index) => {
    if (isTerminal(change.to)) return [];
    const next = changes[index + 1];
    const phase = phaseOf(change, next, now);
    const tokens = tokensIn(phase, samples, firstTokenAt);
    const parts = begun.has(phase.attempt) ? [phase] : splitAtFirstToken(phase, tokens[0]);
    if (tokens.length > 0) begun.add(phase.attempt);
    return phase.isInterrupted ? withSilence(parts, tokens.at(-1)) : parts;
  });
}

function phaseOf(change: Change, next: Change | undefined, now: number): Phase {
  return {
    kind: (kinds as Partial<Record<TaskStatus, PhaseKind>>)[change.to] ?? "queued",
    status: change.to,
    attempt: change.attempt,
    from: change.at,
    to: next?.at ?? Math.max(now, change.at),
    isLive: next === undefined,
    isInterrupted: next?.reason === hostRestarted,
  };
}

/** When tokens came in a running phase, in order. */
function tokensIn(phase: Phase, samples: readonly Sample[], firstTokenAt: number | null): number[] {
  if (phase.status !== "running") return [];
  const isInside = (at: number) => at >= phase.from && at <= phase.to;
  const later = samples.filter(({ at, attempt }) => attempt === phase.attempt && isInside(at)).map(({ at }) => at);
  return firstTokenAt !== null && isInside(firstTokenAt) ? [firstTokenAt, ...later] : later;
}

function splitAtFirstToken(phase: Phase, first: number | undefined): Phase[] {
  if (phase.status !== "running") return [phase];
  if (first === undefined) return [{ ...phase, kind: "reading" }];
  if (first <= phase.from) return [phase];
  return [
    { ...phase, kind: "reading", to: first, isLive: false, isInterrupted: false },
    { ...phase, from: first },
  ];
}

/** Splits off what comes after the last sign of life, when there was one. */
function withSilence(parts: readonly Phase[], last: number | undefined): Phase[] {
  const ended = parts.at(-1);
  if (ended === undefined || last === undefined || ended.to - last < shortestSilence) return [...parts];
  return [
    ...parts.slice(0, -1),
    { ...ended, to: last, isInterrupted: false },
    { ...ended, kind: "closed", from: last },
  ];
}

/** Nothing is produced in it, or nobody knows how long something was: a long one may be cut. */
export function isIdle(phase: Phase): boolean {
  return phase.isInterrupted || phase.kind === "queued" || phase.kind === "waiting" || phase.kind === "closed";
}

/** A clock that was set back must not make a time negative. */
export function lengthOf({ from, to }: { readonly from: number; readonly to: number }): number {
  return Math.max(0, to - from);
}
