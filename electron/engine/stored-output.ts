import type { OutputItemHead, TaskEvent, WholeOutput } from "../../shared/event";
import type { TaskStore } from "./store";

/** What the log has of a task's output: all that a run needs in order to go on behind it. */
export interface StoredOutput {
  readonly items: readonly StoredItem[];
  /** Ids of all tokens that led to it, also of those whose text is still held back. */
  readonly tokens: readonly number[];
  /** Set when the output is whole. */
  readonly whole: WholeOutput | undefined;
}

export interface StoredItem {
  readonly head: OutputItemHead;
  readonly text: string;
  readonly isClosed: boolean;
}

const batch = 1_000;

export function storedOutput(store: Pick<TaskStore, "events">, id: string): StoredOutput {
  const output = new Gathered();
  for (let after = 0; ; ) {
    const events = store.events(id, after, batch);
    for (const { body } of events) output.add(body);
    after = events.at(-1)?.seq ?? after;
    if (events.length < batch) return output;
  }
}

class Gathered implements StoredOutput {
  readonly items: { readonly head: OutputItemHead; text: string; isClosed: boolean }[] = [];
  readonly tokens: number[] = [];
  whole: WholeOutput | undefined;

  add(body: TaskEvent["body"]): void {
    if (body.type === "item_opened") this.items[body.index] = { head: body.item, text: "", isClosed: false };
    if (body.type === "delta" || body.type === "text_closed") for (const token of body.tokens) this.tokens.push(token);
    const item = "index" in body ? this.items[body.index] : undefined;
    if (item === undefined) return;
    if (body.type === "delta") item.text += body.text;
    if (body.type === "item_closed") {
      item.isClosed = true;
      this.whole = body.whole;
    }
  }
}
