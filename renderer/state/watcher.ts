import type { Feed } from "../../shared/desktop/feed";
import type { TaskDetail } from "../../shared/desktop/rows";
import { follow, type LiveDetail } from "./live-detail";

export interface WatcherParts {
  readonly read: (id: string) => Promise<TaskDetail>;
  readonly stop: () => Promise<unknown>;
  readonly show: (detail: TaskDetail | null) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Keeps the detail of one wanted task. At rest it reads nothing; `want`, a stale detail and `reread` make it read, one
 * read at a time, so that the last task asked for is the last one watched. What arrives for another task than the
 * wanted one is dropped; what the feed says during a read is kept and applied on top of the answer.
 */
export class Watcher {
  readonly #parts: WatcherParts;
  #wanted: string | null = null;
  #live: LiveDetail | null = null;
  #reading: string | null = null;
  #again = false;
  #missed: Feed[] = [];

  constructor(parts: WatcherParts) {
    this.#parts = parts;
  }

  want(id: string | null): void {
    if (id === this.#wanted) return;
    this.#wanted = id;
    this.#show(null);
    if (id === null) this.#parts.stop().catch(this.#parts.fail);
    else this.reread();
  }

  /** Reads the wanted task anew; what is shown stays until the answer is there. */
  reread(): void {
    if (this.#wanted === null) return;
    if (this.#reading !== null) this.#again = true;
    else void this.#read(this.#wanted);
  }

  take(feed: Feed): void {
    if (this.#reading !== null) this.#missed.push(feed);
    if (this.#live === null) return;
    const before = this.#live;
    this.#show(follow(before, feed));
    if (this.#live.stale && !before.stale) this.reread();
  }

  async #read(id: string): Promise<void> {
    this.#reading = id;
    this.#again = false;
    this.#missed = [];
    const isRead = await this.#answer(id);
    this.#reading = null;
    // A read that failed is not repeated by itself: what is shown stays, and the person was told.
    if (this.#again || id !== this.#wanted || (isRead && this.#live?.stale)) this.reread();
  }

  /** Shows what is read, unless another answer is wanted by then; false when the read failed. */
  async #answer(id: string): Promise<boolean> {
    try {
      const detail = await this.#parts.read(id);
      if (id === this.#wanted && !this.#again) this.#show(this.#missed.reduce(follow, { detail, stale: false }));
      return true;
    } catch (error) {
      if (id === this.#wanted) this.#parts.fail(error);
      return false;
    }
  }

  #show(live: LiveDetail | null): void {
    if (live?.detail !== this.#live?.detail) this.#parts.show(live?.detail ?? null);
    this.#live = live;
  }
}
