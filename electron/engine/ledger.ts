import type { EventBody, TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import { canMove, isTerminal, type Recovery, type TaskStatus } from "../../shared/lifecycle";
import { ProblemError } from "../../shared/problem";
import type { Change, Outcome, Task } from "../../shared/task";
import type { Clock } from "./clock";
import { type Created, type Draft, newTask } from "./draft";
import type { Fact, FactListener } from "./fact";
import { Followers } from "./followers";
import type { NewId } from "./ids";
import type { TaskStore } from "./store";
import { WaitingTasks } from "./waiting";

const historyBatch = 512;

/**
 * The only writer. Each change is compare-and-set, committed, then published; so the first committed transition wins,
 * and nobody hears of what could still be lost. Creates that arrive together share one transaction and one sync.
 */
export class Ledger {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #newId: NewId;
  readonly #onListenerError: (error: unknown) => void;
  readonly #listeners = new Set<FactListener>();
  readonly #followers: Followers;
  readonly #waiting = new WaitingTasks();
  #pending: PendingCreate[] = [];
  #rev: number;

  constructor(store: TaskStore, clock: Clock, newId: NewId, onListenerError: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#newId = newId;
    this.#onListenerError = onListenerError;
    this.#followers = new Followers((id) => ({
      read: (after) => store.events(id, after, historyBatch),
      isOver: () => isOver(store.task(id)),
    }));
    this.#rev = store.lastRev();
    for (const task of store.unfinished()) if (task.status === "queued") this.#waiting.change(task.client, 1);
  }

  /**
   * Stores a new task and resolves once it is synced to the disk (LMSP 7.1: persist, then answer).
   * Throws ProblemError `idempotency_key_reused`, `queue_full` or `storage_failed`; then nothing is stored.
   */
  create(draft: Draft): Promise<Created> {
    return new Promise((resolve, reject) => {
      if (this.#pending.push({ draft, resolve, reject }) === 1) inTwoTurns(() => this.#commitCreates());
    });
  }

  /** Moves the task if it still is in `from`; undefined when another transition was committed first. */
  move(id: string, from: TaskStatus, to: TaskStatus, extra: MoveExtra = {}): Task | undefined {
    if (!canMove(from, to)) throw new Error(`No task moves from ${from} to ${to}`);
    return this.#transition(id, from, to, extra);
  }

  /** What a restart of the host makes of an unfinished task; the only way a task goes backwards. */
  recover(task: Task, to: Exclude<Recovery, "wait">, outcome: Outcome | null, reason: string): Task | undefined {
    const again = to === "queued";
    return this.#transition(task.id, task.status, to, {
      outcome,
      reason,
      events: again ? [] : [{ type: "ended" }],
      attempt: again ? task.attempt + 1 : task.attempt,
    });
  }

  /** Begins another attempt in place, after the inference process was lost: the status stays, the stream starts over. */
  restartAttempt(task: Task, reason: string): Task | undefined {
    const attempt = task.attempt + 1;
    const events: EventBody[] = task.status === "running" ? [{ type: "started", attempt }] : [];
    return this.#transition(task.id, task.status, task.status, { reason, events, attempt });
  }

  /** Appends output; only a running task has any. False when it no longer runs, and nothing was written. */
  append(id: string, bodies: readonly EventBody[]): boolean {
    const events = this.#store.transaction("written", () => {
      const task = this.#store.task(id);
      if (task?.status !== "running") return undefined;
      const numbered = this.#number(task, bodies);
      this.#store.update(id, "running", { lastSeq: task.lastSeq + bodies.length, rev: this.#rev });
      this.#store.addEvents(numbered);
      return numbered;
    });
    if (events !== undefined) this.#publish({ kind: "appended", taskId: id, events });
    return events !== undefined;
  }

  /** Passes on how much of the prompt is read; nothing is stored. */
  tellReading(taskId: string, read: number, total: number): void {
    this.#publish({ kind: "reading", taskId, read, total });
  }

  recordStep(id: string, key: string, outcome: Json): void {
    this.#store.transaction("written", () => this.#store.addStep(id, key, outcome));
  }

  /** Forgets a task that has ended, with everything of it. */
  remove(task: Task): void {
    if (!this.#store.transaction("written", () => this.#store.remove(task.id))) return;
    this.#publish({ kind: "removed", taskId: task.id, client: task.client });
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

  /** Hears every fact after its commit, in order; the result unsubscribes. */
  subscribe(listener: FactListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #commitCreates(): void {
    const batch = this.#pending;
    this.#pending = [];
    const counted: string[] = [];
    let admissions: Admission[];
    try {
      admissions = this.#store.transaction("synced", () => batch.map(({ draft }) => this.#admit(draft, counted)));
    } catch (error) {
      for (const client of counted) this.#waiting.change(client, -1);
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const [index, admission] of admissions.entries()) this.#answer(batch[index], admission);
  }

  #answer(pending: PendingCreate | undefined, admission: Admission): void {
    if (admission instanceof ProblemError) pending?.reject(admission);
    else if (admission.change === undefined) pending?.resolve({ task: admission.task, replayed: true });
    else {
      pending?.resolve({ task: admission.task, replayed: false });
      this.#publish({ kind: "moved", task: admission.task, change: admission.change });
    }
  }

  /** Decides one create inside the shared transaction; a refusal concerns only its own caller. */
  #admit(draft: Draft, counted: string[]): Admission {
    const { client, idempotency } = draft;
    const earlier = idempotency && this.#store.byIdempotencyKey(client, idempotency.key);
    if (earlier?.fingerprint === idempotency?.fingerprint && earlier) return { task: earlier.task };
    if (earlier)
      return new ProblemError(
        "idempotency_key_reused",
        `The key "${idempotency?.key}" came before with another request; send a new key with a new request.`,
      );
    const refusal = this.#waiting.refusal(client, draft.waitingLimits);
    if (refusal !== undefined) return refusal;
    this.#waiting.change(client, 1);
    counted.push(client);
    return this.#insert(draft);
  }

  #insert(draft: Draft): { task: Task; change: Change } {
    const at = this.#clock.now();
    const rev = ++this.#rev;
    const given = { id: this.#newId("task"), responseId: this.#newId("resp"), at, rev };
    const task = this.#store.insert(newTask(draft, given), draft.input, draft.idempotency);
    const change: Change = { taskId: task.id, from: null, to: "queued", at, attempt: 1, rev, reason: null };
    this.#store.addChange(change);
    this.#store.addEvents([{ taskId: task.id, seq: 0, rev, at, body: { type: "created" } }]);
    return { task, change };
  }

  #transition(id: string, from: TaskStatus, to: TaskStatus, extra: TransitionExtra): Task | undefined {
    const done = this.#store.transaction("written", () => this.#write(id, from, to, extra));
    if (done === undefined) return undefined;
    const { task, change, events } = done;
    if (from !== to && from === "queued") this.#waiting.change(task.client, -1);
    if (from !== to && to === "queued") this.#waiting.change(task.client, 1);
    this.#publish({ kind: "moved", task, change });
    if (events.length > 0) this.#publish({ kind: "appended", taskId: id, events });
    return task;
  }

  #write(id: string, from: TaskStatus, to: TaskStatus, extra: TransitionExtra) {
    const before = this.#store.task(id);
    if (before?.status !== from) return undefined;
    const attempt = extra.attempt ?? before.attempt;
    if (attempt !== before.attempt) this.#store.dropAttempt(id);
    const events = this.#number(before, extra.events ?? []);
    const at = this.#clock.now();
    const task = this.#store.update(id, from, {
      status: to,
      attempt,
      outcome: extra.outcome ?? null,
      lastSeq: before.lastSeq + events.length,
      rev: this.#rev,
      ...(from === to ? {} : { updatedAt: at }),
    });
    if (task === undefined) return undefined;
    const change: Change = { taskId: id, from, to, at, attempt, rev: task.rev, reason: extra.reason ?? null };
    this.#store.addChange(change);
    this.#store.addEvents(events);
    return { task, change, events };
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

export interface MoveExtra {
  readonly outcome?: Outcome | null;
  readonly reason?: string;
  readonly events?: readonly EventBody[];
}

interface TransitionExtra extends MoveExtra {
  readonly attempt?: number;
}

interface PendingCreate {
  readonly draft: Draft;
  readonly resolve: (created: Created) => void;
  readonly reject: (error: unknown) => void;
}

type Admission = ProblemError | { readonly task: Task; readonly change?: Change };

function isOver(task: Task | undefined): boolean {
  return task === undefined || isTerminal(task.status);
}

/** After the requests that are on the wire now have been read: their creates share the commit, and its sync. */
function inTwoTurns(work: () => void): void {
  setImmediate(() => setImmediate(work));
}
