import type { TaskEvent } from "../../shared/event";

/** The rate is the mean of the last seconds, so that it neither jumps nor lags. */
const rateWindow = 3_000;

/** What a run shows while it goes on, counted from the events as they come. */
export class LiveRun {
  reading: { readonly read: number; readonly total: number } | null = null;
  tokens = 0;
  #recent: { readonly at: number; readonly tokens: number }[] = [];

  /** A text that goes on has tokens before the first of this attempt is written. */
  read({ read, total, written }: { readonly read: number; readonly total: number; readonly written: number }): void {
    this.reading = { read, total };
    this.tokens = Math.max(this.tokens, written);
  }

  take(events: readonly TaskEvent[]): void {
    for (const { at, body } of events) {
      if (body.type === "started") this.#restart();
      if (body.type !== "delta" && body.type !== "text_closed") continue;
      this.reading = null;
      this.tokens += body.tokens.length;
      this.#recent.push({ at, tokens: body.tokens.length });
    }
    const from = (this.#recent.at(-1)?.at ?? 0) - rateWindow;
    while ((this.#recent[0]?.at ?? from) < from) this.#recent.shift();
  }

  /** Tokens per second; null before there are two moments to measure between. */
  get tokensPerSecond(): number | null {
    const [first] = this.#recent;
    const last = this.#recent.at(-1);
    if (first === undefined || last === undefined || last.at === first.at) return null;
    const after = this.#recent.slice(1).reduce((sum, { tokens }) => sum + tokens, 0);
    return (after * 1_000) / (last.at - first.at);
  }

  #restart(): void {
    this.reading = null;
    this.tokens = 0;
    this.#recent = [];
  }
}
