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
    try {
      const detail = await this.#parts.read(id);
      if (id === this.#wanted && !this.#again) this.#show(this.#missed.reduce(follow, { detail, stale: false }));
    } catch (error) {
      if (id === this.#wanted) this.#parts.fail(error);
    }
    this.#reading = null;
    if (this.#again || id !== this.#wanted || this.#live?.stale) this.#continue(id);
  }

  /** What was wanted meanwhile is read next. A task whose read failed is not asked for again by itself. */
  #continue(id: string): void {
    const failed = this.#live === null && id === this.#wanted && !this.#again;
    if (!failed) this.reread();
  }

  #show(live: LiveDetail | null): void {
    if (live?.detail !== this.#live?.detail) this.#parts.show(live?.detail ?? null);
    this.#live = live;
  }
}
