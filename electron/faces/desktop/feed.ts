import type { Feed, HostStatus } from "../../../shared/desktop/feed";
import type { QuestionView } from "../../../shared/desktop/questions";
import type { TaskRow } from "../../../shared/desktop/rows";
import type { TaskEvent } from "../../../shared/event";
import type { Question } from "../../../shared/question";
import type { Change, Task } from "../../../shared/task";
import type { Clock } from "../../engine/clock";
import type { Fact } from "../../engine/fact";
import { LiveRun } from "../../engine/live-run";
import { samplesOf } from "./detail";
import { askedIn, viewOf } from "./questions";
import { rowOf } from "./rows";

/** At most 20 messages a second, whatever the engine does. */
const sendEvery = 50;
/** A run's figures need no more than this. */
const figuresEvery = 250;

export interface FeedParts {
  readonly clock: Clock;
  readonly rev: () => number;
  readonly taskOf: (id: string) => Task | undefined;
  readonly questionsOf: (id: string) => readonly Question[];
  readonly send: (feed: Feed) => void;
}

/**
 * Gathers the engine's facts and sends them to one window, together. Carries the output of the one watched task only.
 * `from` of each message is `to` of the one before: who misses one asks for a new snapshot.
 */
export class FeedSender {
  readonly #parts: FeedParts;
  readonly #runs = new Map<string, LiveRun>();
  readonly #changed = new Set<string>();
  #removed: string[] = [];
  #changes: Change[] = [];
  readonly #questions = new Map<string, QuestionView>();
  #events: TaskEvent[] = [];
  #watched: { readonly id: string; readonly lengths: number[]; attempt: number } | undefined;
  #host: HostStatus | undefined;
  #sentRev: number;
  #cancelTimer: (() => void) | undefined;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#sentRev = parts.rev();
  }

  /** What is known of a task while it runs. */
  run(id: string): LiveRun | undefined {
    return this.#runs.get(id);
  }

  take(fact: Fact): void {
    if (fact.kind === "removed") this.#removed.push(fact.taskId);
    else if (fact.kind === "moved") this.#takeMove(fact.task, fact.change);
    else if (fact.kind === "appended" || fact.kind === "reading") this.#takeProgress(fact);
    else if (fact.kind === "asked" || fact.kind === "answered") this.#takeQuestion(fact.question);
    else this.#changed.add(fact.taskId);
    this.#schedule(isUrgent(fact) || this.#concernsWatched(fact) ? sendEvery : figuresEvery);
  }

  /** The host's state changed. */
  tellHost(host: HostStatus): void {
    this.#host = host;
    this.#schedule(sendEvery);
  }

  /** From here on the output of this task is sent, beginning after `output` (lengths of its items' texts). */
  watch(task: Task, lengths: readonly number[]): void {
    this.#watched = { id: task.id, lengths: [...lengths], attempt: task.attempt };
    this.#forgetWatched();
  }

  unwatch(): void {
    this.#watched = undefined;
    this.#forgetWatched();
  }

  /** The rows that wait are part of the snapshot that is read now, so they need not be sent. Returns its rev. */
  restart(): number {
    this.#changed.clear();
    this.#removed = [];
    this.#sentRev = this.#parts.rev();
    return this.#sentRev;
  }

  close(): void {
    this.#cancelTimer?.();
  }

  #forgetWatched(): void {
    this.#events = [];
    this.#changes = [];
    this.#questions.clear();
  }

  #takeMove(task: Task, change: Change): void {
    this.#changed.add(task.id);
    if (task.id === this.#watched?.id) {
      this.#changes.push(change);
      this.#watched.attempt = task.attempt;
    }
    if (task.outcome !== null) this.#runs.delete(task.id);
  }

  #takeQuestion(question: Question): void {
    this.#changed.add(question.taskId);
    if (question.taskId === this.#watched?.id) this.#questions.set(question.id, viewOf(question));
  }

  #takeProgress(fact: Extract<Fact, { kind: "appended" | "reading" }>): void {
    const run = this.#runs.get(fact.taskId) ?? new LiveRun();
    if (fact.kind === "reading") run.read(fact);
    else if (fact.events.at(-1)?.body.type === "ended") return;
    else run.take(fact.events);
    this.#runs.set(fact.taskId, run);
    this.#changed.add(fact.taskId);
    if (fact.kind === "appended" && fact.taskId === this.#watched?.id) this.#events.push(...fact.events);
  }

  #concernsWatched(fact: Fact): boolean {
    return fact.kind === "appended" && fact.taskId === this.#watched?.id;
  }

  #schedule(delay: number): void {
    this.#cancelTimer ??= this.#parts.clock.after(delay, () => this.#send());
  }

  #send(): void {
    this.#cancelTimer = undefined;
    const from = this.#sentRev;
    const to = this.#parts.rev();
    const rows = [...this.#changed].flatMap((id) => {
      const task = this.#parts.taskOf(id);
      return task === undefined ? [] : [this.#rowOf(task)];
    });
    const id = this.#watched?.id ?? "";
    const attempt = this.#watched?.attempt ?? 1;
    const samples = samplesOf(this.#events, []).map((sample) => ({ ...sample, taskId: id, attempt }));
    const feed: Feed = {
      from,
      to,
      rows,
      removed: this.#removed,
      changes: this.#changes,
      questions: [...this.#questions.values()],
      output: this.#output(),
      samples,
      ...(this.#host === undefined ? {} : { host: this.#host }),
    };
    this.restart();
    this.#forgetWatched();
    this.#host = undefined;
    this.#parts.send(feed);
  }

  #rowOf(task: Task): TaskRow {
    return rowOf(task, this.#runs.get(task.id), askedIn(task, this.#parts.questionsOf));
  }

  /** New text of the watched task, with where it begins. */
  #output(): Feed["output"] {
    const watched = this.#watched;
    if (watched === undefined) return [];
    const output: Feed["output"] = [];
    for (const { body } of this.#events) {
      if (body.type === "started") {
        watched.attempt = body.attempt;
        watched.lengths.length = 0;
        output.length = 0;
      }
      if (body.type !== "delta") continue;
      const from = watched.lengths[body.index] ?? 0;
      const last = output.at(-1);
      if (last?.index === body.index) last.text += body.text;
      else
        output.push({
          taskId: watched.id,
          attempt: watched.attempt,
          index: body.index,
          item: body.item,
          from,
          text: body.text,
        });
      watched.lengths[body.index] = from + body.text.length;
    }
    return output;
  }
}

/** A person waits to see it, or it waits for a person. */
function isUrgent({ kind }: Fact): boolean {
  return kind === "moved" || kind === "asked" || kind === "answered";
}
