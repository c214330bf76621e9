import { isStorageFailure } from "../../shared/problem";
import type { Task } from "../../shared/task";
import type { Clock } from "./clock";

/** A task whose ttl is over stays readable this long after its end. */
export const graceAfterTtl = 60_000;
/** How long to wait before an end that could not be stored is tried again. */
const endAgainAfter = 1_000;
/** A JavaScript timer that waits longer fires at once. */
const longestTimer = 2_147_483_647;

/** True when the task's ttl and the grace after it are over: it is no longer there for anyone. */
export function isGone({ createdAt, ttl, updatedAt, outcome }: Task, now: number): boolean {
  return ttl !== null && outcome !== null && Math.max(createdAt + ttl, updatedAt) + graceAfterTtl <= now;
}

export interface LifetimeParts {
  readonly clock: Clock;
  /** The unfinished tasks whose ttl is over. */
  readonly overdue: (now: number) => readonly Task[];
  /** When the next unfinished task's ttl is over; undefined when none has any. */
  readonly nextExpiry: () => number | undefined;
  /** Throws ProblemError `storage_failed` when the end cannot be stored. */
  readonly expire: (task: Task) => void;
}

/** Ends tasks that are not finished when their ttl is over. One timer, for the earliest. */
export class Lifetimes {
  readonly #parts: LifetimeParts;
  #dueAt = Number.POSITIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(parts: LifetimeParts) {
    this.#parts = parts;
  }

  /** Ends what is overdue and waits for the next. */
  start(): void {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#waitUntil(this.#endOverdue());
  }

  /** A task was created. */
  watch({ createdAt, ttl }: Task): void {
    if (ttl !== null) this.#waitUntil(createdAt + ttl);
  }

  close(): void {
    this.#cancelTimer?.();
  }

  /** When there is more to end. */
  #endOverdue(): number | undefined {
    const { clock, overdue, nextExpiry, expire } = this.#parts;
    try {
      for (const task of overdue(clock.now())) expire(task);
      return nextExpiry();
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      return clock.now() + endAgainAfter;
    }
  }

  #waitUntil(dueAt: number | undefined): void {
    if (dueAt === undefined || dueAt >= this.#dueAt) return;
    this.#cancelTimer?.();
    this.#dueAt = dueAt;
    const wait = Math.min(Math.max(0, dueAt - this.#parts.clock.now()), longestTimer);
    this.#cancelTimer = this.#parts.clock.after(wait, () => this.start());
  }
}
