import type { TaskRow } from "../../../shared/desktop/rows";
import { isTerminal } from "../../../shared/lifecycle";
import { words } from "./words";

/** A line of the list: the head of a group, or a task. */
export type ListItem =
  | { readonly kind: "group"; readonly key: string; readonly name: string; readonly count: number }
  | { readonly kind: "task"; readonly key: string };

export interface ListItems {
  readonly items: readonly ListItem[];
  /** The place in the queue of each waiting task, from 1, among those that wait for the same model. */
  readonly places: ReadonlyMap<string, number>;
}

export interface Held {
  readonly id: string;
  readonly since: number;
}

export interface Moment {
  readonly now: number;
  /** When today began. */
  readonly today: number;
  /** The task under the pointer, and since when: one that ends there does not move away. */
  readonly held: Held | null;
}

/** A task that ended stays where it was for a moment, so that the eye can follow. */
export const settling = 600;
export const needsYou = "needs-you";
const oneDay = 86_400_000;

/** Groups in their order: who needs the person, what is active in the order it will run, then the days. */
export function itemsOf(rows: Iterable<TaskRow>, query: string, moment: Moment): ListItems {
  const all = [...rows];
  const wanted = query.trim().toLocaleLowerCase();
  const matching = wanted === "" ? all : all.filter(({ title }) => title.toLocaleLowerCase().includes(wanted));
  const asking = matching.filter(needsPerson).sort(byRow);
  const active = matching.filter((row) => isActive(row, moment)).sort(byRow);
  const ended = matching.filter(({ status }) => isTerminal(status)).filter((row) => !isActive(row, moment));
  return {
    items: [
      ...groupOf(needsYou, words.needsYou, asking),
      ...groupOf("active", words.active, active),
      ...daysOf(ended.sort(byEnd), moment.today),
    ],
    places: placesOf(all),
  };
}

/** A question that only the caller may answer leaves its task among the active ones. */
function needsPerson(row: TaskRow): boolean {
  return row.status === "input_required" && row.question !== null;
}

function isActive(row: TaskRow, { now, held }: Moment): boolean {
  if (needsPerson(row)) return false;
  const endedUnderPointer = row.id === held?.id && row.updatedAt >= held.since;
  return !isTerminal(row.status) || now - row.updatedAt < settling || endedUnderPointer;
}

function groupOf(key: string, name: string, rows: readonly TaskRow[]): ListItem[] {
  if (rows.length === 0) return [];
  return [
    { kind: "group", key, name, count: rows.length },
    ...rows.map(({ id }) => ({ kind: "task", key: id }) as const),
  ];
}

function daysOf(ended: readonly TaskRow[], today: number): ListItem[] {
  const days = groupedBy(ended, ({ updatedAt }) => Math.min(today, new Date(updatedAt).setHours(0, 0, 0, 0)));
  return [...days].flatMap(([day, rows]) => groupOf(`day-${day}`, dayName(day, today), rows));
}

const dayFormat = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long" });
const farFormat = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric" });

function dayName(day: number, today: number): string {
  if (day === today) return words.today;
  // Noon of the day before, so that a day of 23 or 25 hours is still yesterday.
  if (day === new Date(today - oneDay / 2).setHours(0, 0, 0, 0)) return words.yesterday;
  return (today - day < 300 * oneDay ? dayFormat : farFormat).format(day);
}

function placesOf(rows: readonly TaskRow[]): Map<string, number> {
  const waiting = rows.filter(({ status }) => status === "queued").sort(byRow);
  const queues = groupedBy(waiting, ({ model }) => model);
  return new Map([...queues.values()].flatMap((queue) => queue.map(({ id }, index) => [id, index + 1] as const)));
}

function groupedBy<Key>(rows: readonly TaskRow[], keyOf: (row: TaskRow) => Key): Map<Key, TaskRow[]> {
  const groups = new Map<Key, TaskRow[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

const byRow = (a: TaskRow, b: TaskRow) => a.row - b.row;
const byEnd = (a: TaskRow, b: TaskRow) => b.updatedAt - a.updatedAt || b.row - a.row;

/** The task `step` lines further; from nowhere the first one, from an end the same one. */
export function neighbourOf(items: readonly ListItem[], selected: string | null, step: number): string | null {
  const tasks = items.filter(({ kind }) => kind === "task").map(({ key }) => key);
  const index = selected === null ? -1 : tasks.indexOf(selected);
  if (index < 0) return tasks[0] ?? null;
  return tasks[Math.max(0, Math.min(tasks.length - 1, index + step))] ?? null;
}
