import type { TaskRow } from "../../shared/desktop/rows";
import type { TaskStatus } from "../../shared/lifecycle";

/** A screen reader hears of each task no more often than this. */
const quietTime = 2_000;

type Say = (text: string) => void;
type Later = (milliseconds: number, run: () => void) => () => void;

const later: Later = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** Tells status changes in words. One that comes too soon after the last is told later, and only if it still holds. */
export class Announcements {
  readonly #say: Say;
  readonly #wordOf: (status: TaskStatus) => string;
  readonly #later: Later;
  /** Tasks that were told of a moment ago, with what came since. */
  readonly #quiet = new Map<string, { next: TaskRow | null; readonly cancel: () => void }>();

  constructor(say: Say, wordOf: (status: TaskStatus) => string, wait: Later = later) {
    this.#say = say;
    this.#wordOf = wordOf;
    this.#later = wait;
  }

  take(before: TaskRow | undefined, after: TaskRow): void {
    if (before?.status === after.status) return;
    const quiet = this.#quiet.get(after.id);
    if (quiet) quiet.next = after;
    else this.#tell(after);
  }

  close(): void {
    for (const { cancel } of this.#quiet.values()) cancel();
    this.#quiet.clear();
  }

  #tell(row: TaskRow): void {
    const cancel = this.#later(quietTime, () => this.#wake(row));
    this.#quiet.set(row.id, { next: null, cancel });
    this.#say(`${row.title}: ${this.#wordOf(row.status)}`);
  }

  #wake(told: TaskRow): void {
    const next = this.#quiet.get(told.id)?.next;
    this.#quiet.delete(told.id);
    if (next && next.status !== told.status) this.#tell(next);
  }
}
