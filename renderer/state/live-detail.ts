import type { Feed } from "../../shared/desktop/feed";
import type { QuestionView } from "../../shared/desktop/questions";
import type { TaskDetail, TaskRow } from "../../shared/desktop/rows";
import { isTerminal } from "../../shared/lifecycle";

/**
 * The watched task, moved along by the feed. `stale` says that the feed cannot carry what is missing, so that the
 * detail must be read again: a new attempt began (its text is another), the task ended (its result is only in the
 * detail), or text is missing in between. From then on no text is added until it was read.
 */
export interface LiveDetail {
  readonly detail: TaskDetail;
  readonly stale: boolean;
}

type Delta = Feed["output"][number];
type Item = TaskDetail["output"][number];

/** Applies one message. Those of other tasks, and what the detail holds already, change nothing. */
export function follow(live: LiveDetail, feed: Feed): LiveDetail {
  const { detail } = live;
  const row = rowFrom(feed, detail);
  const questions = withQuestions(detail, feed);
  const stale = live.stale || row.attempt !== detail.row.attempt || hasEnded(detail.row, row);
  // What the detail was read with is in it: only messages that go further bring anything new.
  if (feed.to <= detail.rev)
    return row === detail.row && questions === detail.questions && stale === live.stale
      ? live
      : { stale, detail: { ...detail, row, questions } };
  const output = stale ? detail.output : withDeltas(detail, feed);
  return {
    stale: stale || output === null,
    detail: {
      ...detail,
      row,
      questions,
      rev: feed.to,
      output: output ?? detail.output,
      ...withMoments(detail, feed),
    },
  };
}

function rowFrom(feed: Feed, detail: TaskDetail): TaskRow {
  const row = feed.rows.find(({ id }) => id === detail.row.id);
  return row !== undefined && row.rev >= detail.row.rev ? row : detail.row;
}

/** A question may be answered without any move of the task, so no rev tells what is new; an answer is never taken back. */
function withQuestions(detail: TaskDetail, feed: Feed): QuestionView[] {
  const known = new Map(detail.questions.map((question) => [question.id, question]));
  const news = feed.questions.filter(({ id, taskId, answered }) => {
    const before = known.get(id);
    return taskId === detail.row.id && (before === undefined || (before.answered === null && answered !== null));
  });
  if (news.length === 0) return detail.questions;
  for (const question of news) known.set(question.id, question);
  return [...known.values()];
}

function hasEnded(before: TaskRow, after: TaskRow): boolean {
  return isTerminal(after.status) && !isTerminal(before.status);
}

/** The output with the new text; null when text is missing before it. */
function withDeltas(detail: TaskDetail, feed: Feed): Item[] | null {
  const output = [...detail.output];
  for (const delta of feed.output) {
    if (delta.taskId !== detail.row.id || delta.attempt < detail.row.attempt) continue;
    const item = delta.attempt === detail.row.attempt ? withDelta(output[delta.index], delta) : null;
    if (item === null || delta.index > output.length) return null;
    output[delta.index] = item;
  }
  return output;
}

/** The offset decides what is new: text that came before is never added twice. Null when text is missing. */
function withDelta(item: Item | undefined, delta: Delta): Item | null {
  const text = item?.text ?? "";
  if (delta.from > text.length) return null;
  const known = text.length - delta.from;
  return { ...delta.item, text: known < delta.text.length ? text + delta.text.slice(known) : text };
}

function withMoments(detail: TaskDetail, feed: Feed): Pick<TaskDetail, "changes" | "samples" | "firstTokenAt"> {
  const last = detail.changes.at(-1)?.rev ?? -1;
  const changes = feed.changes.filter(({ taskId, rev }) => taskId === detail.row.id && rev > last);
  const samples = feed.samples
    .filter(({ taskId }) => taskId === detail.row.id)
    .map(({ at, attempt, tokens }) => ({ at, attempt, tokens }));
  return {
    changes: changes.length > 0 ? [...detail.changes, ...changes] : detail.changes,
    samples: samples.length > 0 ? [...detail.samples, ...samples] : detail.samples,
    firstTokenAt: detail.firstTokenAt ?? samples[0]?.at ?? null,
  };
}
