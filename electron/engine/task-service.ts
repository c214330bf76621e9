import type { TaskEvent } from "../../shared/event";
import { formFaults } from "../../shared/form-schema";
import type { Json } from "../../shared/json";
import { cancelRules, isTerminal, type TaskStatus } from "../../shared/lifecycle";
import { isStorageFailure, ProblemError } from "../../shared/problem";
import type { Progress } from "../../shared/progress";
import type { Answer, Question } from "../../shared/question";
import type { Settings } from "../../shared/settings";
import type { Change, Task } from "../../shared/task";
import { type Audit, type AuditEntry, knownId } from "./audit";
import type { Caller } from "./caller";
import type { Clock } from "./clock";
import type { Created, Draft } from "./draft";
import type { FactListener } from "./fact";
import type { Ledger } from "./ledger";
import { isGone, Lifetimes } from "./lifetimes";
import type { ModelCatalogue, ModelListing, UnnamedModel } from "./models";
import type { People } from "./people";
import { ProgressBoard } from "./progress-board";
import { Settlements } from "./settlements";
import type { TaskStore } from "./store";

/** What a face asks to be made; the caller and the limits are added here. */
export type TaskDraft = Omit<Draft, "client" | "caller" | "waitingLimits"> & {
  /** What to do when `model` is null. */
  readonly unnamedModel: UnnamedModel;
};

/** Which of the client's tasks a face shows; the others are unknown to it. */
export interface Scope {
  readonly jobs?: readonly string[];
  readonly listed?: boolean;
}

export interface Page {
  readonly limit: number;
  /** Only tasks created before the one with this row. */
  readonly beforeRow?: number;
  readonly statuses?: readonly TaskStatus[];
}

/** `ended`: the cursor is at or past the final event, there is nothing to wait for. */
export type Follow =
  | { readonly kind: "ended" }
  | { readonly kind: "events"; readonly events: AsyncGenerator<readonly TaskEvent[], void> };

/** Why a task was cancelled whose ttl was over before it ended. */
export const ttlExpired = "ttl expired";
const overdueBatch = 1_000;

/** Commands that the service gives downwards. */
export interface TaskRunner {
  enqueue(task: Task): void;
  /** The task was moved to `cancelling`: stop it. */
  stop(task: Task): void;
  /** A question of this task was answered; it runs on when it is `running`. */
  answered(task: Task): void;
  /** Its place among those that wait, 1 is next. */
  position(task: Task): number;
  /** The task was cancelled while it waited. */
  forget(task: Task): void;
}

/** The one door to the engine: every face, the window too, asks here. Checks who asks, then hands on. */
export class TaskService {
  readonly #ledger: Ledger;
  readonly #store: TaskStore;
  readonly #runner: TaskRunner;
  readonly #catalogue: ModelCatalogue;
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #people: People;
  readonly #audit: Audit;
  readonly #progress = new ProgressBoard();
  readonly #settlements = new Settlements();
  readonly #lifetimes: Lifetimes;

  constructor(parts: {
    ledger: Ledger;
    store: TaskStore;
    runner: TaskRunner;
    catalogue: ModelCatalogue;
    settings: Settings;
    clock: Clock;
    people: People;
    audit: Audit;
  }) {
    this.#ledger = parts.ledger;
    this.#store = parts.store;
    this.#runner = parts.runner;
    this.#catalogue = parts.catalogue;
    this.#settings = parts.settings;
    this.#clock = parts.clock;
    this.#people = parts.people;
    this.#audit = parts.audit;
    this.#lifetimes = new Lifetimes({
      clock: parts.clock,
      overdue: (now) => parts.store.overdue(now, overdueBatch),
      nextExpiry: () => parts.store.nextExpiry(),
      expire: ({ client, id }) => this.#cancelUnlessEnded({ client, says: null }, id, ttlExpired),
    });
    parts.ledger.subscribe(this.#progress.take);
    parts.ledger.subscribe(this.#settlements.take);
    parts.ledger.subscribe((fact) => {
      const { client, taskId } = fact;
      if (fact.kind === "moved" && isTerminal(fact.task.status))
        parts.audit({ action: "ended", client, taskId, detail: fact.task.status });
      if (fact.kind === "asked") parts.audit({ action: "asked", client, taskId, detail: questionText(fact.question) });
    });
  }

  /** Begins to end tasks whose ttl is over; until `close`. */
  start(): void {
    this.#lifetimes.start();
  }

  close(): void {
    this.#lifetimes.close();
  }

  /**
   * Stores a task and resolves once it is safe on the disk; the answer is the task as that commit made it.
   * Throws ProblemError `model_not_found`, `model_required`, `idempotency_key_reused`, `queue_full`
   * or `storage_failed`; then there is no task.
   */
  async create(caller: Caller, draft: TaskDraft): Promise<Created> {
    try {
      return await this.#create(caller, draft);
    } catch (error) {
      if (error instanceof ProblemError && error.problem.code === "queue_full")
        this.note(caller, { action: "refused", detail: "queue_full" });
      throw error;
    }
  }

  /** What the caller asked to see. Throws ProblemError `task_not_found`, also for another client's task. */
  get(caller: Caller, scope: Scope, id: string): Task {
    const task = this.current(caller, scope, id);
    this.note(caller, { action: "read", taskId: id, status: task.status, detail: "get" });
    return task;
  }

  /** The task as it is now, for what is done with it on the caller's behalf; not a reading. Throws as `get` does. */
  current(caller: Caller, scope: Scope, id: string): Task {
    const task = this.#store.task(id);
    if (task !== undefined && isVisible(task, caller, scope) && !isGone(task, this.#clock.now())) return task;
    this.note(caller, { action: "refused", ...knownId(id), detail: "task_not_found" });
    throw taskNotFound(id);
  }

  /** What the caller asked to see, newest first. */
  list(caller: Caller, scope: Scope, page: Page): Task[] {
    this.note(caller, { action: "read", detail: "list" });
    return this.currentTasks(caller, scope, page);
  }

  /** The tasks as they are now, for what is done with them on the caller's behalf; not a reading. Newest first. */
  currentTasks(caller: Caller, scope: Scope, page: Page): Task[] {
    const tasks = this.#store.tasks({ ...scope, ...page, ...(caller.seesAll ? {} : { client: caller.client }) });
    return tasks.filter((task) => !isGone(task, this.#clock.now()));
  }

  /** Throws `task_not_found`. The recorded transitions, oldest first. */
  changes(caller: Caller, scope: Scope, id: string): Change[] {
    return this.#store.changes(this.current(caller, scope, id).id);
  }

  /** LMSP 7.3; idempotent. Throws `task_not_found`, or `task_not_cancelable` for a task that ended otherwise. */
  cancel(caller: Caller, scope: Scope, id: string, reason = "cancelled by its client"): Task {
    for (;;) {
      const task = this.current(caller, scope, id);
      const rule = cancelRules[task.status];
      if (rule === "done") return task;
      if (rule === "refused")
        throw new ProblemError("task_not_cancelable", `The task has ${task.status}; it can no longer be cancelled.`);
      const moved = this.#cancelTo(task, rule, reason);
      if (moved === undefined) continue;
      this.note(caller, { action: "cancelled", taskId: id, detail: reason });
      return moved;
    }
  }

  /** How far the task is; empty when it does not run. */
  progress(task: Task): Progress {
    return task.status === "queued" ? { position: this.#runner.position(task) } : this.#progress.of(task);
  }

  /** The questions of the task that are for this caller, open and answered, oldest first. Throws `task_not_found`. */
  questions(caller: Caller, scope: Scope, id: string): readonly Question[] {
    const questions = this.#store.questions(this.current(caller, scope, id).id);
    return questions.filter(({ to }) => caller.seesAll || to.includes("caller"));
  }

  /**
   * Answers a question; the first valid answer is stored and the task goes on. Throws ProblemError `task_not_found`,
   * `question_not_found`, `question_answered`, or `invalid_request` when the content does not fit the question.
   */
  answer(caller: Caller, scope: Scope, id: string, questionId: string, answer: Answer): Question {
    const question = this.questions(caller, scope, id).find((one) => one.id === questionId);
    if (question === undefined)
      throw new ProblemError("question_not_found", `The task has no question "${questionId.slice(0, 64)}" for you.`);
    if (question.answered !== null) throw answeredBy(question.answered.by);
    checkAnswer(question, answer);
    const done = this.#ledger.answer(question, answer, caller.client);
    if (done === undefined) {
      const first = this.questions(caller, scope, id).find((one) => one.id === questionId)?.answered;
      throw answeredBy(first?.by ?? "nobody: its task has ended");
    }
    this.note(caller, { action: answerActions[answer.action], taskId: id, detail: questionText(question) });
    this.#runner.answered(done.task);
    return done.question;
  }

  /**
   * The task once it is being cancelled or has ended. Any number may wait; nothing polls.
   * Rejects with `task_not_found`, also when it is deleted meanwhile, or with `signal.reason`.
   */
  async settled(caller: Caller, scope: Scope, id: string, signal: AbortSignal): Promise<Task> {
    return await this.#settlements.wait(this.current(caller, scope, id), signal);
  }

  /** Notes that the caller has fetched what the task came to. */
  retrieved(caller: Caller, task: Task): void {
    this.note(caller, { action: "retrieved", taskId: task.id, status: task.status });
  }

  /** Puts into the audit log what was done for this caller. */
  note(caller: Caller, entry: Omit<AuditEntry, "client" | "says">): void {
    this.#audit({ ...entry, client: caller.client, says: caller.says });
  }

  /** A window is there where a person can answer; the result takes it away. */
  attachPerson(): () => void {
    return this.#people.attach();
  }

  /**
   * The task's events after `after` (-1: from the beginning).
   * Throws `task_not_found`, or `event_history_expired` when the next event wanted is no longer kept.
   */
  follow(caller: Caller, scope: Scope, id: string, after: number, signal: AbortSignal): Follow {
    const task = this.current(caller, scope, id);
    this.note(caller, { action: "read", taskId: id, status: task.status, detail: "events" });
    if (isTerminal(task.status)) {
      if (after >= task.lastSeq) return { kind: "ended" };
      if (task.eventsExpired || task.updatedAt + this.#settings["retention.events"] <= this.#clock.now())
        throw new ProblemError("event_history_expired", "The events of this task are no longer kept; read the task.");
    }
    return { kind: "events", events: this.#ledger.follow(task.id, after, signal) };
  }

  /** What the task was asked to do, as stored. Throws `task_not_found`. */
  input(caller: Caller, scope: Scope, id: string): Json {
    return this.#store.input(this.current(caller, scope, id).id) ?? null;
  }

  /** The kept events after `after`, at most `limit`; unlike `follow` it neither waits nor refuses. */
  events(caller: Caller, scope: Scope, id: string, after: number, limit: number): readonly TaskEvent[] {
    return this.#store.events(this.current(caller, scope, id).id, after, limit);
  }

  /** Hears the facts of the caller's tasks after their commit, in order; who sees all hears all. */
  subscribe(caller: Caller, listener: FactListener): () => void {
    if (caller.seesAll) return this.#ledger.subscribe(listener);
    return this.#ledger.subscribe((fact) => {
      if (fact.client === caller.client) listener(fact);
    });
  }

  /** The highest `rev` that has been published: a reader that has read now has everything up to it. */
  get rev(): number {
    return this.#ledger.rev;
  }

  /** How many tasks of all clients wait in `queued`. */
  get waiting(): number {
    return this.#ledger.waiting;
  }

  models(): Promise<readonly ModelListing[]> {
    return this.#catalogue.list();
  }

  /** Has a model tried again that was put aside; for the person at this desktop alone. No such model: nothing happens. */
  forgiveModel(model: string): void {
    this.#catalogue.forgive(model);
  }

  /** The limits in force, by the names of their settings without `limits.`; lengths of time are milliseconds. */
  limits(): Record<string, number> {
    const limits = Object.entries(this.#settings).filter(([key, value]) => key.startsWith("limits.") && value !== null);
    return {
      ...Object.fromEntries(limits.map(([key, value]) => [key.slice("limits.".length), Number(value)])),
      event_retention: this.#settings["retention.events"],
    };
  }

  async #create(caller: Caller, draft: TaskDraft): Promise<Created> {
    const replay = this.#replayOf(caller, draft);
    if (replay !== undefined) return replay;
    const { unnamedModel, ...rest } = draft;
    const created = await this.#ledger.create({
      ...rest,
      client: caller.client,
      caller: caller.says,
      model: await this.#catalogue.choose(draft.model, unnamedModel),
      waitingLimits: { client: this.#settings["limits.queue_per_client"], total: this.#settings["limits.queue"] },
    });
    if (created.replayed) return created;
    this.note(caller, { action: "created", taskId: created.task.id });
    this.#lifetimes.watch(created.task);
    this.#runner.enqueue(created.task);
    return created;
  }

  /** An idempotent repeat is answered even when the request would be refused now (a model that was removed since). */
  #replayOf(caller: Caller, { idempotency }: TaskDraft): Created | undefined {
    const earlier = idempotency && this.#store.byIdempotencyKey(caller.client, idempotency.key);
    return earlier?.fingerprint === idempotency?.fingerprint && earlier
      ? { task: earlier.task, replayed: true }
      : undefined;
  }

  #cancelUnlessEnded(caller: Caller, id: string, reason: string): void {
    try {
      this.cancel(caller, {}, id, reason);
    } catch (error) {
      // It ended, or was removed, on its own.
      if (!(error instanceof ProblemError) || isStorageFailure(error)) throw error;
    }
  }

  #cancelTo(task: Task, to: "cancelled" | "cancelling", reason: string): Task | undefined {
    if (to === "cancelling") {
      const moved = this.#ledger.move(task.id, task.status, to, { reason });
      if (moved !== undefined) this.#runner.stop(moved);
      return moved;
    }
    const outcome = { kind: "cancelled", reason } as const;
    const moved = this.#ledger.move(task.id, task.status, to, { reason, outcome, events: [{ type: "ended" }] });
    if (moved !== undefined) this.#runner.forget(task);
    return moved;
  }
}

function isVisible(task: Task, caller: Caller, scope: Scope): boolean {
  return (
    (caller.seesAll || task.client === caller.client) &&
    (scope.jobs === undefined || scope.jobs.includes(task.job)) &&
    (scope.listed === undefined || task.listed === scope.listed)
  );
}

function taskNotFound(id: string): ProblemError {
  return new ProblemError("task_not_found", `There is no task "${id.slice(0, 64)}" of this client.`);
}

/** Never what it asks. */
function questionText({ id, body }: Question): string {
  return `${id} (${body.type})`;
}

function answeredBy(client: string): ProblemError {
  return new ProblemError("question_answered", `The question was answered before, by ${client}.`);
}

const answerActions = { accept: "answered", decline: "declined", cancel: "dismissed" } as const satisfies Record<
  Answer["action"],
  string
>;

/** An accepted form is checked by its schema here, whoever sent it; other answers are objects of the caller's protocol. */
function checkAnswer({ body }: Question, answer: Answer): void {
  if (answer.action !== "accept") return;
  const { content } = answer;
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw new ProblemError("invalid_request", "content: must be an object with the fields of the question");
  const [fault] = body.type === "form" ? formFaults(body.schema, content) : [];
  if (fault !== undefined) throw new ProblemError("invalid_request", `${fault.field ?? "content"}: ${fault.message}`);
}
