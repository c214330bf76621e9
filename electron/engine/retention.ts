import { isStorageFailure } from "../../shared/problem";
import type { Clock } from "./clock";
import type { Ledger } from "./ledger";
import { graceAfterTtl } from "./lifetimes";
import type { TaskStore } from "./store";

const sweepEvery = 60_000;
/** What one sweep removes before it lets other work in. */
const batch = 200;

/** Deletes what need not be kept: events after their retention period, tasks after their ttl. */
export class Retention {
  readonly #ledger: Ledger;
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #eventsKept: number;
  #cancelTimer: (() => void) | undefined;

  constructor(ledger: Ledger, store: TaskStore, clock: Clock, eventsKept: number) {
    this.#ledger = ledger;
    this.#store = store;
    this.#clock = clock;
    this.#eventsKept = eventsKept;
  }

  /** Sweeps now and then every minute, until `close`. */
  start(): void {
    const more = this.#sweep();
    this.#cancelTimer = this.#clock.after(more ? 0 : Math.min(sweepEvery, this.#eventsKept), () => this.start());
  }

  close(): void {
    this.#cancelTimer?.();
  }

  /** True when there was more than one batch to remove. */
  #sweep(): boolean {
    try {
      const now = this.#clock.now();
      const expired = this.#store.expired(now - graceAfterTtl, batch);
      for (const task of expired) this.#ledger.remove(task);
      return this.#ledger.expireEvents(now - this.#eventsKept, batch) === batch || expired.length === batch;
    } catch (error) {
      // What is due stays due, until a sweep finds storage well.
      if (!isStorageFailure(error)) throw error;
      return false;
    }
  }
}
