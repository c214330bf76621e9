import { durationOf } from "./durations";
import type { Segment } from "./layout";
import type { Change } from "./phases";
import { textWidth } from "./text-width";
import { words } from "./words";

/** One attempt. */
export interface Lane {
  readonly attempt: number;
  /** The second line of the gutter: why it began, or that it did not end. */
  readonly note: string | null;
  readonly segments: readonly Segment[];
  readonly link: Link | null;
}

/** The elbow from the end of a lane to the beginning of the next, with the cause and the gap. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly isCut: boolean;
  /** Null when there is no room for it. */
  readonly text: string | null;
}

/** The last attempts are what matters; the earlier ones unfold. */
export const mostLanes = 4;
const lanesWhenFolded = 3;

export function lanesOf(segments: readonly Segment[], changes: readonly Change[], width: number): Lane[] {
  const attempts = [...new Set(segments.map(({ attempt }) => attempt))];
  return attempts.map((attempt, index) => {
    const own = segments.filter((segment) => segment.attempt === attempt);
    const next = segments.find((segment) => segment.attempt === attempts[index + 1]);
    return {
      attempt,
      note: noteOf(attempt, index, attempts.length, changes),
      segments: own,
      link: next === undefined ? null : linkOf(own, next, changes, width),
    };
  });
}

/** Which lanes are shown, and how many earlier ones are folded away. */
export function foldedOf(lanes: readonly Lane[], isUnfolded: boolean): { shown: readonly Lane[]; hidden: number } {
  if (isUnfolded || lanes.length <= mostLanes) return { shown: lanes, hidden: 0 };
  return { shown: lanes.slice(-lanesWhenFolded), hidden: lanes.length - lanesWhenFolded };
}

function noteOf(attempt: number, index: number, count: number, changes: readonly Change[]): string | null {
  if (index === 0) return count > 1 ? words.interrupted : null;
  return causeOf(attempt, changes).lane;
}

function causeOf(attempt: number, changes: readonly Change[]): { readonly gap: string; readonly lane: string } {
  const reason = changes.find((change) => change.attempt === attempt)?.reason ?? "";
  return words.causes[reason] ?? words.noCause;
}

function linkOf(own: readonly Segment[], next: Segment, changes: readonly Change[], width: number): Link {
  const closed = own.find(({ kind }) => kind === "closed");
  const cause = causeOf(next.attempt, changes).gap;
  const text = closed === undefined ? cause : `${cause}, ${durationOf(closed.to - closed.from)}`;
  return {
    from: closed?.x ?? next.x,
    to: next.x,
    isCut: closed?.isCut ?? false,
    text: next.x + 10 + textWidth(text) < width ? text : null,
  };
}
