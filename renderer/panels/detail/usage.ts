import type { TaskDetail } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";
import { countOf, rateOf } from "../../ui/figures";
import { durationOf } from "../timeline/durations";
import { lengthOf, phasesOf } from "../timeline/phases";
import { words } from "./words";

export interface Figure {
  readonly name: string;
  readonly value: string;
}

/** What the task used, as far as it is known now. */
export function usageOf(detail: TaskDetail, now: number): Figure[] {
  const { row, usage, firstTokenAt, finish } = detail;
  const names = words.usage;
  const end = isTerminal(row.status) ? row.updatedAt : now;
  const input = usage?.inputTokens ?? row.reading?.total;
  return [
    { name: names.input, value: input === undefined ? words.unknown : countOf(input) },
    { name: names.output, value: countOf(usage?.outputTokens ?? row.tokens) },
    {
      name: names.firstToken,
      value: firstTokenAt === null ? words.unknown : durationOf(firstTokenAt - row.createdAt),
    },
    { name: names.rate, value: rateText(detail, now) },
    { name: names.total, value: durationOf(end - row.createdAt) },
    ...(row.attempt > 1 ? [{ name: names.attempts, value: countOf(row.attempt) }] : []),
    ...(finish === null ? [] : [{ name: names.finish, value: words.finishes[finish] }]),
    { name: names.restart, value: words.restarts[row.onRestart] },
  ];
}

/** The mean over all the time in which tokens came. */
function rateText(detail: TaskDetail, now: number): string {
  const generating = phasesOf(detail, now).filter(({ kind }) => kind === "generating");
  const length = generating.reduce((sum, phase) => sum + lengthOf(phase), 0);
  const tokens = detail.samples.reduce((sum, sample) => sum + sample.tokens, 0);
  return length > 0 && tokens > 0 ? rateOf((tokens * 1_000) / length) : words.unknown;
}
