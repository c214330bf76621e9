import { statusMessage } from "./status-message";
import type { TaskView } from "./task-view";

export interface ProgressNote {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Seconds after which half of what a part can show has been shown. */
const half = 60;

/**
 * Progress as MCP tells it: a number that grows with every note, whether or not anything can be counted. It is the
 * parts done and, below the next whole number, how long the part at hand has taken; so it never runs ahead of a part.
 */
export class CallProgress {
  #done = 0;
  #since: number;
  #last = -1;

  constructor(now: number) {
    this.#since = now;
  }

  /** Undefined when nothing greater than the last one can be told. */
  next(view: TaskView): ProgressNote | undefined {
    const { step } = view.progress;
    const done = Math.max(this.#done, step?.done ?? 0);
    if (done > this.#done) this.#since = view.now;
    this.#done = done;
    const seconds = Math.max(0, view.now - this.#since) / 1_000;
    const progress = done + seconds / (seconds + half);
    if (progress <= this.#last) return undefined;
    this.#last = progress;
    return {
      progress,
      ...(step === undefined ? {} : { total: Math.max(step.total, progress) }),
      message: statusMessage(view),
    };
  }
}
