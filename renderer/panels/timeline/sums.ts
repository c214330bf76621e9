import { durationOf } from "./durations";
import { lengthOf, type Phase, type PhaseKind, phaseKinds } from "./phases";
import { words } from "./words";

export interface Sum {
  readonly kind: PhaseKind;
  readonly length: number;
}

/** How long each kind of phase took over all attempts, in the order of the legend. */
export function sumsOf(phases: readonly Phase[]): Sum[] {
  return phaseKinds.flatMap((kind) => {
    const own = phases.filter((phase) => phase.kind === kind);
    return own.length === 0 ? [] : [{ kind, length: own.reduce((sum, phase) => sum + lengthOf(phase), 0) }];
  });
}

export interface Telling {
  readonly phases: readonly Phase[];
  /** The word of the status that the task has. */
  readonly status: string;
  readonly total: number;
  /** Milliseconds from the beginning; null before it came. */
  readonly firstToken: number | null;
}

/** The picture in one sentence, for those who do not see it. */
export function sentenceOf({ phases, status, total, firstToken }: Telling): string {
  const isLive = phases.some((phase) => phase.isLive);
  const attempts = new Set(phases.map(({ attempt }) => attempt)).size;
  const parts = [
    `${status}, ${(isLive ? words.soFar : words.inAll)(durationOf(total))}`,
    ...(attempts > 1 ? [words.attempts(attempts)] : []),
    ...sumsOf(phases).map(({ kind, length }) => `${words.kinds[kind]} ${durationOf(length)}`),
    ...(firstToken === null ? [] : [`${words.firstToken} ${durationOf(firstToken)}`]),
  ];
  return `${words.timeline}: ${parts.join("; ")}`;
}
