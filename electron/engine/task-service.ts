import type { TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import { cancelRules, isTerminal, type RestartPolicy, restartPolicies, type TaskStatus } from "../../shared/lifecycle";
import { ProblemError } from "../../shared/problem";
import type { Settings } from "../../shared/settings";
import type { Change, Task } from "../../shared/task";
import type { Caller } from "./caller";
import type { Clock } from "./clock";
import type { Created, Draft } from "./draft";
import type { FactListener } from "./fact";
import type { Ledger } from "./ledger";
import type { ModelCatalogue, ModelListing } from "./models";
import type { TaskStore } from "./store";

/** What a face asks to be made; the caller and the limits are added here. */
export type TaskDraft = Omit<Draft, "client" | "caller" | "waitingLimits">;

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

/** Commands that the service gives downwards. */
export interface TaskRunner {
  enqueue(task: Task): void;
  /** The task was moved to `cancelling`: stop it. */
  stop(id: string): void;
  /** The task was cancelled while it waited. */
  forget(task: Task): void;
}

/** The one door to the engine: every face, the window too, asks here. Checks who asks, then hands on. */
export class TaskService {
  /** LMSP 7.5: whether a run can continue from a snapshot; else `resume` is refused. */
  readonly resumable: boolean = false;
  readonly #ledger: Ledger;
  readonly #store: TaskStore;
  readonly #runner: TaskRunner;
  readonly #catalogue: ModelCatalogue;
  readonly #settings: Settings;
  readonly #clock: Clock;

  constructor(parts: {
    ledger: Ledger;
    store: TaskStore;
    runner: TaskRunner;
    catalogue: ModelCatalogue;
    settings: Settings;
    clock: Clock;
  }) {
    this.#ledger = parts.ledger;
    this.#store = parts.store;
    this.#runner = parts.runner;
    this.#catalogue = parts.catalogue;
    this.#settings = parts.settings;
    this.#clock = parts.clock;
  }

  /**
   * Stores a task and resolves once it is safe on the disk; the answer is the task as that commit made it.
   * Throws ProblemError `model_not_found`, `model_required`, `unsupported_capability`, `idempotency_key_reused`,
   * `queue_full` or `storage_failed`; then there is no task.
   */
  async create(caller: Caller, draft: TaskDraft): Promise<Created> {
    const replay = this.#replayOf(caller, draft);
    if (replay !== undefined) return replay;
    if (draft.onRestart === "resume" && !this.resumable)
      throw new ProblemError("unsupported_capability", 'on_restart "resume" is not available; use "fail" or "retry".');
    const created = await this.#ledger.create({
      ...draft,
      client: caller.client,
      caller: caller.says,
      model: await this.#catalogue.choose(draft.model),
      waitingLimits: { client: this.#settings["limits.queue_per_client"], total: this.#settings["limits.queue"] },
    });
    if (!created.replayed) this.#runner.enqueue(created.task);
    return created;
  }

  /** Throws ProblemError `task_not_found`, also for another client's task. */
  get(caller: Caller, scope: Scope, id: string): Task {
    const task = this.#store.task(id);
    if (task === undefined || !isVisible(task, caller, scope)) throw taskNotFound(id);
    return task;
  }

  /** Newest first. */
  list(caller: Caller, scope: Scope, page: Page): Task[] {
    return this.#store.tasks({ ...scope, ...page, ...(caller.seesAll ? {} : { client: caller.client }) });
  }

  /** Throws `task_not_found`. The recorded transitions, oldest first. */
  changes(caller: Caller, scope: Scope, id: string): Change[] {
    return this.#store.changes(this.get(caller, scope, id).id);
  }

  /** LMSP 7.3; idempotent. Throws `task_not_found`, or `task_not_cancelable` for a task that ended otherwise. */
  cancel(caller: Caller, scope: Scope, id: string, reason = "cancelled by its client"): Task {
    for (;;) {
      const task = this.get(caller, scope, id);
      const rule = cancelRules[task.status];
      if (rule === "done") return task;
      if (rule === "refused")
        throw new ProblemError("task_not_cancelable", `The task has ${task.status}; it can no longer be cancelled.`);
      const moved = this.#cancelTo(task, rule, reason);
      if (moved !== undefined) return moved;
    }
  }

  /**
   * The task's events after `after` (-1: from the beginning).
   * Throws `task_not_found`, or `event_history_expired` when the next event wanted is no longer kept.
   */
  follow(caller: Caller, scope: Scope, id: string, after: number, signal: AbortSignal): Follow {
    const task = this.get(caller, scope, id);
    if (isTerminal(task.status)) {
      if (after >= task.lastSeq) return { kind: "ended" };
      if (task.eventsExpired || task.updatedAt + this.#settings["retention.events"] <= this.#clock.now())
        throw new ProblemError("event_history_expired", "The events of this task are no longer kept; read the task.");
    }
    return { kind: "events", events: this.#ledger.follow(task.id, after, signal) };
  }

  /** What the task was asked to do, as stored. Throws `task_not_found`. */
  input(caller: Caller, scope: Scope, id: string): Json {
    return this.#store.input(this.get(caller, scope, id).id) ?? null;
  }

  /** The kept events after `after`, at most `limit`; unlike `follow` it neither waits nor refuses. */
  events(caller: Caller, scope: Scope, id: string, after: number, limit: number): readonly TaskEvent[] {
    return this.#store.events(this.get(caller, scope, id).id, after, limit);
  }

  /** Hears every fact of the engine after its commit; only for a caller that sees all. */
  subscribe(caller: Caller, listener: FactListener): () => void {
    if (!caller.seesAll) throw new Error("Only who sees all tasks hears all facts");
    return this.#ledger.subscribe(listener);
  }

  /** What a new task may ask for a restart of the host. */
  get restartPolicies(): readonly RestartPolicy[] {
    return restartPolicies.filter((policy) => policy !== "resume" || this.resumable);
  }

  /** The highest `rev` that has been published: a reader that has read now has everything up to it. */
  get rev(): number {
    return this.#ledger.rev;
  }

  models(): Promise<readonly ModelListing[]> {
    return this.#catalogue.list();
  }

  /** The limits in force, by the names of their settings without `limits.`; lengths of time are milliseconds. */
  limits(): Record<string, number> {
    const limits = Object.entries(this.#settings).filter(([key, value]) => key.startsWith("limits.") && value !== null);
    return {
      ...Object.fromEntries(limits.map(([key, value]) => [key.slice("limits.".length), Number(value)])),
      event_retention: this.#settings["retention.events"],
    };
  }

  /** An idempotent repeat is answered even when the request would be refused now (a model that was removed since). */
  #replayOf(caller: Caller, { idempotency }: TaskDraft): Created | undefined {
    const earlier = idempotency && this.#store.byIdempotencyKey(caller.client, idempotency.key);
    return earlier?.fingerprint === idempotency?.fingerprint && earlier
      ? { task: earlier.task, replayed: true }
      : undefined;
  }

  #cancelTo(task: Task, to: "cancelled" | "cancelling", reason: string): Task | undefined {
    if (to === "cancelling") {
      const moved = this.#ledger.move(task.id, task.status, to, { reason });
      if (moved !== undefined) this.#runner.stop(task.id);
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
