import type { EventBody, OutputItemHead } from "../../shared/event";
import type { JobResult, OutputItem, OutputType } from "../../shared/task";
import { finishOf, type GenerationStep } from "./backend";
import type { Clock } from "./clock";
import type { NewId } from "./ids";
import { OpenItem } from "./open-item";
import type { StoredOutput } from "./stored-output";

type Piece = Extract<GenerationStep, { type: "piece" }>;
type Ended = Extract<GenerationStep, { type: "ended" }>;

/** The first delta of an item is committed at once, later ones together about this often. */
const flushEvery = 30;

export interface OutputWriterParts {
  /** Commits the events; throws when the task no longer runs. */
  readonly append: (bodies: readonly EventBody[]) => void;
  readonly clock: Clock;
  readonly newId: NewId;
  /** What is committed already. */
  readonly stored: StoredOutput;
}

/**
 * Turns generation steps into the events of a task's stream, in batches. The steps are always those of the whole output:
 * what an earlier attempt has committed of it is passed over, so that the stream goes on where it stopped.
 * Throws ProblemError `not_resumable` when the steps contradict what is committed.
 */
export class OutputWriter {
  readonly #parts: OutputWriterParts;
  readonly #items: OutputItem[] = [];
  #item: OpenItem | undefined;
  /** How many of the coming ids are committed already. */
  #tokensStored: number;
  /** Ids that no committed event carries yet. */
  #tokens: number[] = [];
  #failure: unknown;

  constructor(parts: OutputWriterParts) {
    this.#parts = parts;
    this.#tokensStored = parts.stored.tokens.length;
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
    const known = Math.min(this.#tokensStored, tokens.length);
    this.#tokensStored -= known;
    this.#tokens.push(...tokens.slice(known));
    if (text === "") return;
    if (this.#item !== undefined && this.#item.head.type !== output) this.#append(this.#close(this.#item));
    this.#item ??= this.#open(output);
    const item = this.#item;
    item.add(text);
    if (!item.hasNews) return;
    const wait = item.nextFlush - this.#parts.clock.now();
    if (wait <= 0) this.#flush(item);
    else item.flushLater ??= this.#parts.clock.after(wait, () => this.#flushFromTimer(item));
  }

  #open(type: OutputType): OpenItem {
    const index = this.#items.length;
    const stored = this.#parts.stored.items[index];
    const head: OutputItemHead = stored?.head ?? { id: this.#parts.newId(type === "message" ? "msg" : "rs"), type };
    return new OpenItem(index, head, type, stored);
  }

  #flush(item: OpenItem): void {
    item.cancelFlush();
    this.#append(item.news(this.#takeTokens()));
    item.nextFlush = this.#parts.clock.now() + flushEvery;
  }

  #flushFromTimer(item: OpenItem): void {
    try {
      this.#flush(item);
    } catch (error) {
      this.#failure = error;
    }
  }

  /** The events that are left of the item. */
  #close(item: OpenItem): EventBody[] {
    item.cancelFlush();
    this.#items.push({ ...item.head, text: item.text });
    this.#item = undefined;
    return item.rest(this.#takeTokens());
  }

  #append(bodies: readonly EventBody[]): void {
    if (bodies.length > 0) this.#parts.append(bodies);
  }

  #takeTokens(): number[] {
    const tokens = this.#tokens;
    this.#tokens = [];
    return tokens;
  }

  #end({ reason, usage }: Ended): JobResult {
    const finish = finishOf[reason];
    const bodies = this.#item === undefined ? [] : this.#close(this.#item);
    if (this.#items.at(-1)?.type !== "message") bodies.push(...this.#close(this.#open("message")));
    const last = bodies.pop();
    if (last?.type !== "item_closed") throw new Error("The output is over before its last item");
    // In one commit: an output that looks over is over, whatever happens before the task's own end is stored.
    this.#append([...bodies, { ...last, whole: { finish, usage } }]);
    return { items: this.#items, finish, usage };
  }
}
