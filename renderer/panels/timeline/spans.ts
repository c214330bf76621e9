import { isIdle, lengthOf, type Phase, type PhaseKind } from "./phases";

/** What is drawn as one segment: a phase, or many tiny neighbours together. */
export interface Span {
  readonly kind: PhaseKind;
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  readonly phases: readonly Phase[];
  readonly isIdle: boolean;
  readonly isLive: boolean;
}

/** So many tiny neighbours stay apart. */
const mostTiny = 6;

/** Joins runs of phases that are each shorter than `tiny` milliseconds, when there are too many to tell apart. */
export function spansOf(phases: readonly Phase[], tiny: number): Span[] {
  const runs: Phase[][] = [];
  for (const phase of phases) {
    const run = runs.at(-1);
    if (run !== undefined && isTogether(run.at(-1), phase, tiny)) run.push(phase);
    else runs.push([phase]);
  }
  return runs.flatMap((run) => (run.length > mostTiny ? [spanOf(run)] : run.map((phase) => spanOf([phase]))));
}

function isTogether(before: Phase | undefined, phase: Phase, tiny: number): boolean {
  if (before === undefined || before.attempt !== phase.attempt || phase.isLive) return false;
  return lengthOf(before) < tiny && lengthOf(phase) < tiny;
}

function spanOf(phases: readonly Phase[]): Span {
  const longest = phases.reduce((best, phase) => (lengthOf(phase) > lengthOf(best) ? phase : best));
  return {
    kind: longest.kind,
    attempt: longest.attempt,
    from: phases[0]?.from ?? longest.from,
    to: phases.at(-1)?.to ?? longest.to,
    phases,
    isIdle: phases.every(isIdle),
    isLive: phases.some(({ isLive }) => isLive),
  };
}
