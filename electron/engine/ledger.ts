import { type EventBody, modelSoFar, type TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import { canMove, isTerminal, type Recovery, type TaskStatus } from "../../shared/lifecycle";
import type { Answer, Question } from "../../shared/question";
import type { Change, Outcome, Task } from "../../shared/task";
import { Admissions } from "./admissions";
import { adopt, type TaskRecord } from "./adoption";
import type { Clock } from "./clock";
import type { Created, Draft } from "./draft";
import type { Fact, FactListener } from "./fact";
import { Followers } from "./followers";
import type { NewId } from "./ids";
import { type Stream, streamOfNextAttempt } from "./next-attempt";
import type { Move, TaskStore } from "./store";
import { WaitingTasks } from "./waiting";

const historyBatch = 512;

/**
 * The only writer. Each change is compare-and-set, committed, then published; so the first committed transition wins,
 * and nobody hears of what could still be lost.
 */
export class Ledger {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #onListenerError: (error: unknown) => void;
  readonly #listeners = new Set<FactListener>();
  readonly #followers: Followers;
  readonly #waiting = new WaitingTasks();
  readonly #admissions: Admissions;
  #rev = 0;

  constructor(store: TaskStore, clock: Clock, newId: NewId, onListenerError: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#newId = newId;
    this.#onListenerError = onListenerError;
    this.#followers = new Followers((id) => ({
      read: (after) => store.events(id, after, historyBatch),
      isOver: () => isOver(store.task(id)),
    }));
    this.#admissions = new Admissions({
      store,
      clock,
      newId,
      waiting: this.#waiting,
      nextRev: () => ++this.#rev,
      created: (task, change) => this.#publish({ kind: "moved", ...of(task), task, change }),
    });
  }

  /** Takes up what is stored; before it nothing may be written. Throws ProblemError `storage_failed`. */
  load(): void {
    this.#rev = this.#store.lastRev();
    this.#waiting.clear();
    for (const task of this.#store.unfinished()) if (task.status === "queued") this.#waiting.change(task.client, 1);
  }

  /**
   * Stores a new task and resolves once it is synced to the disk (LMSP 7.1: persist, then answer).
   * Throws ProblemError `idempotency_key_reused`, `queue_full` or `storage_failed`; then nothing is stored.
   */
  create(draft: Draft): Promise<Created> {
    return this.#admissions.create(draft);
  }

  /** Moves the task if it still is in `from`; undefined when another transition was committed first. */
  move(id: string, from: TaskStatus, to: TaskStatus, extra: MoveExtra = {}): Task | undefined {
    if (!canMove(from, to)) throw new Error(`No task moves from ${from} to ${to}`);
    return this.#transition(id, from, to, extra);
  }

  /**
   * What a restart of the host makes of unfinished tasks; the only way a task goes backwards. All in one commit: there
   * may be thousands, and nobody waits for any of them yet. Returns the tasks as they are then.
   */
  recover(recovered: readonly Recovered[], reason: string): readonly Task[] {
    const moves = recovered.map(({ task, to, outcome }) =>
      to === "queued"
        ? this.#next(task, to, { reason, nextAttempt: streamOfNextAttempt[task.onRestart] })
        : this.#next(task, to, { reason, outcome, events: [{ type: "ended" }] }),
    );
    this.#store.transaction("written", () => {
      for (const move of moves) this.#dropSuperseded(move);
      this.#store.moveAll(moves);
    });
    for (const move of moves) this.#published(move);
    return moves.map(({ task }) => task);
  }

  /** Begins another attempt in place, after what ran it was lost: the status stays. */
  restartAttempt(task: Task, reason: string, stream: Stream): Task | undefined {
    const started: EventBody[] = [{ type: "started", attempt: task.attempt + 1, ...modelSoFar(task) }];
    const events = stream === "starts over" && task.status === "running" ? started : [];
    return this.#transition(task.id, task.status, task.status, { reason, events, nextAttempt: stream });
  }

  /** Appends output; only a running task has any. False when it no longer runs, and nothing was written. */
  append(id: string, bodies: readonly EventBody[]): boolean {
    const appended = this.#store.transaction("written", () => {
      const task = this.#store.task(id);
      if (task?.status !== "running") return undefined;
      const events = this.#number(task, bodies);
      this.#store.update(id, "running", { lastSeq: task.lastSeq + bodies.length, rev: this.#rev });
      this.#store.addEvents(events);
      return { task, events };
    });
    if (appended !== undefined) this.#publish({ kind: "appended", ...of(appended.task), events: appended.events });
    return appended !== undefined;
  }

  /** Stores a question of a running task, which waits from then on. Undefined when the task no longer runs. */
  ask(id: string, asked: Pick<Question, "key" | "body" | "to">): Question | undefined {
    const done = this.#store.transaction("written", () => {
      const before = this.#store.task(id);
      if (before?.status !== "running" && before?.status !== "input_required") return undefined;
      const question: Question = {
        ...asked,
        id: this.#newId("q"),
        taskId: id,
        askedAt: this.#clock.now(),
        answered: null,
      };
      this.#store.addQuestion(question);
      const moved = before.status === "running" ? this.#write(id, "running", "input_required", {}) : undefined;
      return { question, moved, task: moved?.task ?? this.#touch(before) };
    });
    if (done === undefined) return undefined;
    if (done.moved !== undefined) this.#publishMove(done.moved);
    this.#publish({ kind: "asked", ...of(done.task), task: done.task, question: done.question });
    return done.question;
  }

  /** Stores the first answer; after the last open question the task runs on. Undefined when another came first. */
  answer(question: Question, answer: Answer, by: string): { task: Task; question: Question } | undefined {
    const { taskId } = question;
    const done = this.#store.transaction("written", () => {
      const before = this.#store.task(taskId);
      if (before?.status !== "input_required") return undefined;
      const answered = this.#store.answerQuestion(question.id, { answer, by, at: this.#clock.now() });
      if (answered === undefined) return undefined;
      const isLast = this.#store.questions(taskId).every((one) => one.answered !== null);
      const reason = `${verbs[answer.action]} by ${by}`;
      const moved = isLast ? this.#write(taskId, "input_required", "running", { reason }) : undefined;
      return { question: answered, moved, task: moved?.task ?? this.#touch(before) };
    });
    if (done === undefined) return undefined;
    if (done.moved !== undefined) this.#publishMove(done.moved);
    this.#publish({ kind: "answered", ...of(done.task), task: done.task, question: done.question });
    return done;
  }

  /** Notes which model the task runs on, of one that was made without. */
  setModel(id: string, model: string): void {
    this.#store.transaction("written", () => this.#store.update(id, "running", { model, rev: ++this.#rev }));
  }

  /** Passes on how far a task is; nothing is stored. */
  tell(fact: Extract<Fact, { kind: "reading" | "progress" }>): void {
    this.#publish(fact);
  }

  recordStep(id: string, key: string, outcome: Json): void {
    this.#store.transaction("written", () => this.#store.addStep(id, key, outcome));
  }

  /** Takes in the tasks of another store that are not here, all in one synced commit; returns them. See `adopt`. */
  adopt(records: readonly TaskRecord[]): readonly Task[] {
    const at = this.#clock.now();
    const adopted = this.#store.transaction("synced", () =>
      records.flatMap((record) => adopt(this.#store, record, at, () => ++this.#rev) ?? []),
    );
    for (const task of adopted) this.#publish({ kind: "adopted", ...of(task) });
    return adopted;
  }

  /** Forgets a task that has ended, with everything of it. */
  remove(task: Task): void {
    if (!this.#store.transaction("written", () => this.#store.remove(task.id))) return;
    this.#publish({ kind: "removed", ...of(task) });
    this.#followers.close(task.id);
  }

  /** Drops the streams of tasks that ended at or before `endedBefore`; returns how many, at most `limit`. */
  expireEvents(endedBefore: number, limit: number): number {
    return this.#store.transaction("written", () => this.#store.expireEvents(endedBefore, limit));
  }

  /**
   * The events after `after`: history, then live, each once and in order, to the final one. A reader that falls behind
   * is served from the store, so it neither slows the run nor grows memory. Ends early when `signal` aborts.
   */
  follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<readonly TaskEvent[], void> {
    return this.#followers.follow(id, after, signal);
  }

  /** The highest `rev` given out so far. */
  get rev(): number {
    return this.#rev;
  }

  /** How many tasks wait in `queued`. */
  get waiting(): number {
    return this.#waiting.total;
  }

  /** Hears every fact after its commit, in order; the result unsubscribes. */
  subscribe(listener: FactListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #transition(id: string, from: TaskStatus, to: TaskStatus, extra: TransitionExtra): Task | undefined {
    const done = this.#store.transaction("written", () => this.#write(id, from, to, extra));
    if (done !== undefined) this.#published(done);
    return done?.task;
  }

  #published(done: Written): void {
    const { task, change } = done;
    if (change.from !== change.to && change.from === "queued") this.#waiting.change(task.client, -1);
    if (change.from !== change.to && change.to === "queued") this.#waiting.change(task.client, 1);
    this.#publishMove(done);
  }

  #publishMove({ task, change, events }: Written): void {
    this.#publish({ kind: "moved", ...of(task), task, change });
    if (events.length > 0) this.#publish({ kind: "appended", ...of(task), events });
  }

  #write(id: string, from: TaskStatus, to: TaskStatus, extra: TransitionExtra): Written | undefined {
    const before = this.#store.task(id);
    if (before?.status !== from) return undefined;
    const move = this.#next(before, to, extra);
    this.#dropSuperseded(move);
    const { status, attempt, updatedAt, outcome, lastSeq, rev } = move.task;
    this.#store.update(id, from, { status, attempt, updatedAt, outcome, lastSeq, rev });
    this.#store.addChange(move.change);
    this.#store.addEvents(move.events);
    return move;
  }

  /** What a move makes of a task; nothing is written. */
  #next(before: Task, to: TaskStatus, extra: TransitionExtra): Written {
    const { id, status: from } = before;
    const attempt = extra.nextAttempt === undefined ? before.attempt : before.attempt + 1;
    const events = this.#number(before, extra.events ?? []);
    const at = this.#clock.now();
    const task: Task = {
      ...before,
      status: to,
      attempt,
      outcome: extra.outcome ?? null,
      lastSeq: before.lastSeq + events.length,
      rev: this.#rev,
      updatedAt: from === to ? before.updatedAt : at,
    };
    const change: Change = { taskId: id, from, to, at, attempt, rev: task.rev, reason: extra.reason ?? null };
    return { task, change, events, startsOver: extra.nextAttempt === "starts over" && before.lastSeq > 0 };
  }

  #dropSuperseded({ task, startsOver }: Written): void {
    if (startsOver) this.#store.dropAttempt(task.id);
  }

  /** The task changed in what belongs to it, not in its row: readers by `rev` must see it. */
  #touch(task: Task): Task {
    return this.#store.update(task.id, task.status, { rev: ++this.#rev }) ?? task;
  }

  /** Gives the next numbers to `bodies`; one commit is one `rev`. */
  #number(task: Task, bodies: readonly EventBody[]): TaskEvent[] {
    const at = this.#clock.now();
    const rev = ++this.#rev;
    return bodies.map((body, index) => ({ taskId: task.id, seq: task.lastSeq + 1 + index, rev, at, body }));
  }

  #publish(fact: Fact): void {
    if (fact.kind === "appended") this.#followers.push(fact.taskId, fact.events);
    for (const listener of this.#listeners) {
      try {
        listener(fact);
      } catch (error) {
        // A listener's bug must not look like a failed commit to the writer.
        this.#onListenerError(error);
      }
    }
  }
}

export interface Recovered {
  readonly task: Task;
  readonly to: Exclude<Recovery, "wait">;
  /** Of a task that this ends. */
  readonly outcome: Outcome | null;
}

export interface MoveExtra {
  readonly outcome?: Outcome | null;
  readonly reason?: string;
  readonly events?: readonly EventBody[];
}

interface TransitionExtra extends MoveExtra {
  /** Set when an attempt begins: what becomes of the stream. */
  readonly nextAttempt?: Stream;
}

interface Written extends Move {
  /** Its attempt supersedes the stream of the one before. */
  readonly startsOver: boolean;
}

const verbs = { accept: "answered", decline: "declined", cancel: "dismissed" } as const satisfies Record<
  Answer["action"],
  string
>;

function of(task: Task): { taskId: string; client: string } {
  return { taskId: task.id, client: task.client };
}

function isOver(task: Task | undefined): boolean {
  return task === undefined || isTerminal(task.status);
}
