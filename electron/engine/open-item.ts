import type { EventBody, OutputItemHead } from "../../shared/event";
import { ProblemError } from "../../shared/problem";
import type { OutputType } from "../../shared/task";
import type { StoredItem } from "./stored-output";

/** The item that output goes to at the moment: its whole text, and how much of it is committed. */
export class OpenItem {
  readonly index: number;
  readonly head: OutputItemHead;
  /** When the next delta may be committed, in milliseconds. */
  nextFlush = 0;
  flushLater: (() => void) | undefined;
  readonly #stored: StoredItem | undefined;
  #text = "";
  /** Code units of the text that are committed, by this attempt or one before. */
  #committed: number;
  #isAnnounced: boolean;

  constructor(index: number, head: OutputItemHead, type: OutputType, stored: StoredItem | undefined) {
    this.index = index;
    this.head = head;
    this.#stored = stored;
    this.#committed = stored?.text.length ?? 0;
    this.#isAnnounced = stored !== undefined;
    if (head.type !== type) throw contradiction();
  }

  get text(): string {
    return this.#text;
  }

  get hasNews(): boolean {
    return this.#text.length > this.#committed;
  }

  add(text: string): void {
    const from = this.#text.length;
    this.#text += text;
    if (this.#stored === undefined || from >= this.#stored.text.length) {
      if (this.#stored?.isClosed) throw contradiction();
      return;
    }
    const shared = Math.min(this.#text.length, this.#stored.text.length);
    if (this.#text.slice(from, shared) !== this.#stored.text.slice(from, shared)) throw contradiction();
    if (this.#stored.isClosed && this.hasNews) throw contradiction();
  }

  /** The events that bring the text up to date; they count as committed from here on. */
  news(tokens: readonly number[]): EventBody[] {
    const { index, head: item } = this;
    const bodies: EventBody[] = [];
    if (!this.#isAnnounced) bodies.push({ type: "item_opened", index, item }, { type: "part_opened", index, item });
    if (this.hasNews) bodies.push({ type: "delta", index, item, text: this.#text.slice(this.#committed), tokens });
    this.#isAnnounced = true;
    this.#committed = this.#text.length;
    return bodies;
  }

  /** The events that are left of the item. `tokens` go with the last text. */
  rest(tokens: readonly number[]): EventBody[] {
    const { index, head: item, text } = this;
    if (text.length < this.#committed) throw contradiction();
    if (this.#stored?.isClosed) return [];
    const news = this.hasNews;
    return [
      ...this.news(tokens),
      { type: "text_closed", index, item, text, tokens: news ? [] : tokens },
      { type: "part_closed", index, item, text },
      { type: "item_closed", index, item, text },
    ];
  }

  cancelFlush(): void {
    this.flushLater?.();
    this.flushLater = undefined;
  }
}

function contradiction(): ProblemError {
  return new ProblemError(
    "not_resumable",
    "The text cannot be continued: the model no longer writes what it has written, as after its file was exchanged. Create the task again.",
  );
}
