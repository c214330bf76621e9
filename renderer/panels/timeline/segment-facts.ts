import type { Sample } from "../../../shared/desktop/rows";
import { countOf, rateOf } from "../../ui/figures";
import { durationOf, timeOfDay } from "./durations";
import type { Segment } from "./layout";
import { lengthOf } from "./phases";
import { words } from "./words";

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What there is to say about a phase: when, how long, and what came out of it. */
export function factsOf(
  segment: Segment,
  samples: readonly Sample[],
  start: number,
  read: number | null,
): readonly Fact[] {
  const { kind, from, to, isLive, phases } = segment;
  const length = lengthOf(segment);
  const isInterrupted = phases.some((phase) => phase.isInterrupted);
  return [
    { name: words.from, value: momentOf(from, start) },
    { name: words.to, value: isLive ? words.now : momentOf(to, start) },
    {
      name: words.duration,
      value: isInterrupted ? `${durationOf(length)} ${words.endedWithHost}` : durationOf(length),
    },
    ...(kind === "generating" ? outputOf(segment, samples, length) : []),
    ...(kind === "reading" && isLive && read !== null
      ? [{ name: words.read, value: `${Math.floor(read * 100)}%` }]
      : []),
  ];
}

const momentOf = (at: number, start: number) => `${timeOfDay(at)}, ${durationOf(at - start)}`;

function outputOf({ from, to }: Segment, samples: readonly Sample[], length: number): Fact[] {
  const tokens = samples.filter(({ at }) => at >= from && at <= to).reduce((sum, sample) => sum + sample.tokens, 0);
  const speed = length > 0 && tokens > 0 ? [{ name: words.speed, value: rateOf((tokens * 1_000) / length) }] : [];
  return [{ name: words.tokens, value: countOf(tokens) }, ...speed];
}

/** The same in one line. */
export function nameOf({ kind, phases, attempt }: Segment, facts: readonly Fact[]): string {
  const many = phases.length > 1 ? ` ${words.many(phases.length)}` : "";
  const texts = facts.map(({ name, value }) => `${name} ${value}`);
  return `${words.kinds[kind]}${many}, ${words.attempt(attempt)}: ${texts.join("; ")}`;
}
