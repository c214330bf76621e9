import type { Feed, HostStatus, Snapshot } from "../../shared/desktop/feed";
import type { TaskRow } from "../../shared/desktop/rows";

/** The whole list as the window knows it. `shape` moves when rows come, go or change their place in the list. */
export interface TaskList {
  readonly rev: number;
  readonly rows: ReadonlyMap<string, TaskRow>;
  readonly host: HostStatus;
  readonly shape: number;
}

export function listOf(snapshot: Snapshot, before: TaskList | null): TaskList {
  const rows = new Map(snapshot.rows.map((row) => [row.id, row]));
  return { rev: snapshot.rev, rows, host: snapshot.host, shape: (before?.shape ?? 0) + 1 };
}

/** What a message is to a list: the next one, one that it has already, or one after a gap. */
export function placeOf(list: TaskList, feed: Feed): "next" | "old" | "gap" {
  if (feed.from === list.rev) return "next";
  return feed.to <= list.rev ? "old" : "gap";
}

/** Applies a message that fits. The list stays the same object when nothing in it changes. */
export function applyFeed(list: TaskList, feed: Feed): TaskList {
  const news = feed.rows.filter((row) => row.rev >= (list.rows.get(row.id)?.rev ?? 0));
  const host = feed.host ?? list.host;
  if (news.length === 0 && feed.removed.length === 0) return { ...list, rev: feed.to, host };
  const moved = feed.removed.length > 0 || news.some((row) => hasMoved(list.rows.get(row.id), row));
  const rows = new Map(list.rows);
  for (const row of news) rows.set(row.id, row);
  for (const id of feed.removed) rows.delete(id);
  return { rev: feed.to, rows, host, shape: list.shape + (moved ? 1 : 0) };
}

function hasMoved(before: TaskRow | undefined, after: TaskRow): boolean {
  return (
    before?.status !== after.status ||
    before.updatedAt !== after.updatedAt ||
    before.title !== after.title ||
    before.question?.id !== after.question?.id
  );
}
