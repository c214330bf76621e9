import type { Bounds } from "../../../shared/form-field";
import type { TextFormat } from "../../../shared/form-property";
import { figureOf } from "../../ui/figures";

/** What a question says. */
export const words = {
  asks: (client: string) => `${client} asks`,
  saysOfItself: (caller: string) => `Says of itself: ${caller}`,
  thisTaskAsks: "This task asks",
  waiting: (time: string) => `waiting ${time}`,
  closesIn: (time: string) => `closes in ${time}`,
  more: (count: number) => (count === 1 ? "1 more question after this" : `${count} more questions after this`),
  required: "required",
  optional: "optional",
  choose: "Choose…",
  noChoice: "No answer",
  incomplete: "This is not complete.",
  send: "Send",
  decline: "Decline",
  dismiss: "Dismiss",
  callerToo: (client: string) => `${client} may answer too. The first answer counts.`,
  elsewhere: {
    form: (client: string) => `Waiting for an answer from ${client}.`,
    sampling: (client: string) => `Waiting for ${client} to let its own model write a part of this.`,
    roots: (client: string) => `Waiting for ${client} to say which folders it works in.`,
  },
  answered: {
    accept: { you: "Your answer was sent.", other: (client: string) => `${client} answered. The task goes on.` },
    decline: { you: "You declined.", other: (client: string) => `${client} declined.` },
    cancel: { you: "You dismissed the question.", other: (client: string) => `${client} dismissed the question.` },
  },
  over: "The task ended. Nobody needs to answer any more.",
  copyTyped: "Copy what you typed",
  close: "Close",
  formats: {
    email: "name@example.com",
    uri: "https://example.com",
    date: undefined,
    "date-time": undefined,
  } satisfies Record<TextFormat, string | undefined>,
  range: (bounds: Bounds) => rangeOf(bounds),
  length: (bounds: Bounds) => {
    const range = rangeOf(bounds);
    return range === undefined ? undefined : sentence(`${range} ${bounds.most === 1 ? "character" : "characters"}`);
  },
  count: (bounds: Bounds) => {
    const range = rangeOf(bounds);
    return range === undefined ? undefined : `choose ${range}`;
  },
} as const;

/** The bounds in words; undefined where there are none. Those of every whole number say nothing. */
function rangeOf(bounds: Bounds): string | undefined {
  const [least, most] = [bounds.least, bounds.most].map((bound) => (isTelling(bound) ? figureOf(bound) : null));
  if (least != null && most != null) return least === most ? least : `${least} to ${most}`;
  if (least != null) return `at least ${least}`;
  return most == null ? undefined : `up to ${most}`;
}

function isTelling(bound: number | null): bound is number {
  return bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
