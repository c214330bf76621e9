import type { EventBody, OutputItemHead } from "../../shared/event";
import type { JobResult, OutputItem, OutputType } from "../../shared/task";
import { finishOf, type GenerationStep } from "./backend";
import type { Clock } from "./clock";
import type { NewId } from "./ids";

type Piece = Extract<GenerationStep, { type: "piece" }>;
type Ended = Extract<GenerationStep, { type: "ended" }>;

/** The first delta of an item is committed at once, later ones together about this often. */
const flushEvery = 30;

/**
 * Turns generation steps into the events of a task's stream, in batches. `append` commits them and throws when the
 * task no longer runs.
 */
export class OutputWriter {
  readonly #append: (bodies: readonly EventBody[]) => void;
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #items: OutputItem[] = [];
  #item: OpenItem | undefined;
  /** Ids that no committed event carries yet. */
  #tokens: number[] = [];
  #failure: unknown;

  constructor(append: (bodies: readonly EventBody[]) => void, clock: Clock, newId: NewId) {
    this.#append = append;
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Writes all steps; returns the whole output. */
  async write(steps: AsyncIterable<GenerationStep>): Promise<JobResult> {
    try {
      for await (const step of steps) {
        if (this.#failure !== undefined) throw this.#failure;
        if (step.type === "piece") this.#take(step);
        if (step.type === "ended") return this.#end(step);
      }
    } finally {
      this.#item?.cancelFlush();
    }
    throw new Error("The backend's steps stopped without an end");
  }

  #take({ output, text, tokens }: Piece): void {
    this.#tokens.push(...tokens);
    if (text === "") return;
    if (this.#item !== undefined && this.#item.head.type !== output) this.#close(this.#item);
    this.#item ??= this.#open(output);
    const item = this.#item;
    item.text += text;
    item.unwritten += text;
    const wait = item.nextFlush - this.#clock.now();
    if (wait <= 0) this.#flush(item);
    else item.flushLater ??= this.#clock.after(wait, () => this.#flushFromTimer(item));
  }

  #open(type: OutputType): OpenItem {
    const head: OutputItemHead = { id: this.#newId(type === "message" ? "msg" : "rs"), type };
    return new OpenItem(head, this.#items.length);
  }

  #flush(item: OpenItem): void {
    item.cancelFlush();
    this.#append(this.#unwritten(item));
    item.nextFlush = this.#clock.now() + flushEvery;
  }

  #flushFromTimer(item: OpenItem): void {
    try {
      this.#flush(item);
    } catch (error) {
      this.#failure = error;
    }
  }

  #unwritten(item: OpenItem): EventBody[] {
    const { index, head } = item;
    const bodies: EventBody[] = [];
    if (!item.announced)
      bodies.push({ type: "item_opened", index, item: head }, { type: "part_opened", index, item: head });
    if (item.unwritten !== "")
      bodies.push({ type: "delta", index, item: head, text: item.unwritten, tokens: this.#takeTokens() });
    item.announced = true;
    item.unwritten = "";
    return bodies;
  }

  #close(item: OpenItem): void {
    item.cancelFlush();
    const { index, head, text } = item;
    this.#append([
      ...this.#unwritten(item),
      { type: "text_closed", index, item: head, text, tokens: this.#takeTokens() },
      { type: "part_closed", index, item: head, text },
      { type: "item_closed", index, item: head, text },
    ]);
    this.#items.push({ ...head, text });
    this.#item = undefined;
  }

  #takeTokens(): number[] {
    const tokens = this.#tokens;
    this.#tokens = [];
    return tokens;
  }

  #end({ reason, usage }: Ended): JobResult {
    if (this.#item !== undefined) this.#close(this.#item);
    if (this.#items.at(-1)?.type !== "message") this.#close(this.#open("message"));
    return { items: this.#items, finish: finishOf[reason], usage };
  }
}

/** The item that output goes to at the moment. */
class OpenItem {
  readonly head: OutputItemHead;
  readonly index: number;
  text = "";
  unwritten = "";
  announced = false;
  nextFlush = 0;
  flushLater: (() => void) | undefined;

  constructor(head: OutputItemHead, index: number) {
    this.head = head;
    this.index = index;
  }

  cancelFlush(): void {
    this.flushLater?.();
    this.flushLater = undefined;
  }
}
