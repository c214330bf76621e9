import { durationOf } from "./durations";
import type { Segment } from "./layout";
import { lengthOf } from "./phases";
import { textWidth } from "./text-width";
import { words } from "./words";

export interface Label {
  readonly name: string;
  readonly figure: string | null;
}

const inset = 12;
const between = 5;
/** The strokes of a cut and what comes after them. */
const cutRoom = 36;

/** Name and figure when both fit, then the name alone, then nothing: a label is never cut. */
export function labelOf(segment: Segment, read: number | null): Label | null {
  if (segment.kind === "cancelling" || segment.kind === "closed") return null;
  const room = segment.width - inset - (segment.isCut ? cutRoom : 0);
  const name = words.kinds[segment.kind];
  const figure = figureOf(segment, read);
  if (textWidth(name) + between + textWidth(figure) <= room) return { name, figure };
  return textWidth(name) <= room ? { name, figure: null } : null;
}

function figureOf(segment: Segment, read: number | null): string {
  if (segment.phases.length > 1) return words.many(segment.phases.length);
  if (segment.kind === "reading" && segment.isLive && read !== null) return `${Math.floor(read * 100)}%`;
  return durationOf(lengthOf(segment));
}
