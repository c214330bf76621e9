import { setImmediate } from "node:timers/promises";
import type { TaskEvent } from "../../shared/event";
import { isLegalChange, type TaskStatus } from "../../shared/lifecycle";
import type { WritingOptions } from "../../shared/message";
import { type Settings, settingsSchema } from "../../shared/settings";
import type { Task } from "../../shared/task";
import type { ScriptedModel } from "../backend/scripted/script";
import { ScriptedBackend } from "../backend/scripted/scripted-backend";
import { jobs } from "../jobs/jobs";
import { MemoryStore } from "../store/memory-store";
import type { AuditEntry } from "./audit";
import type { Backend } from "./backend";
import type { Caller } from "./caller";
import { Engine } from "./engine";
import type { Job } from "./job";
import type { Ledger } from "./ledger";
import type { ModelCatalogue, ModelListing } from "./models";
import type { Retention } from "./retention";
import type { Scheduler } from "./scheduler";
import type { Snapshots } from "./snapshots";
import type { TaskStore } from "./store";
import type { TaskDraft, TaskService } from "./task-service";
import { TestClock } from "./test-clock";

export interface TestEngineOptions {
  readonly store?: TaskStore;
  readonly clock?: TestClock;
  readonly settings?: Partial<Settings>;
  /** Besides the product's. */
  readonly jobs?: readonly Job[];
  readonly snapshots?: Snapshots;
  /** What is installed. */
  readonly models?: readonly ModelListing[];
  /** When absent it starts at once. */
  readonly started?: false;
}

export const alice: Caller = { client: "alice", says: null };
export const bob: Caller = { client: "bob", says: null };

/** The whole engine on a scripted backend, for tests: real parts, and time that passes when the test says so. */
export class TestEngine {
  readonly clock: TestClock;
  readonly store: TaskStore;
  readonly backend: Backend;
  readonly ledger: Ledger;
  readonly scheduler: Scheduler;
  readonly service: TaskService;
  readonly retention: Retention;
  readonly bugs: unknown[] = [];
  readonly audited: AuditEntry[] = [];
  readonly #engine: Engine;

  constructor(backend: Backend, options: TestEngineOptions = {}) {
    this.clock = options.clock ?? new TestClock();
    this.store = options.store ?? new MemoryStore();
    this.backend = backend;
    const engine = new Engine({
      store: this.store,
      backend,
      library: anyModel,
      catalogue: catalogueOf(options.models ?? []),
      specOf: ({ id, path }) => ({ id, path, contextLength: null, threads: null, parallel: null, gpu: false }),
      jobs: [...jobs, ...(options.jobs ?? [])],
      snapshots: options.snapshots ?? noSnapshots,
      settings: settingsSchema.parse(options.settings ?? {}),
      clock: this.clock,
      audit: (entry) => this.audited.push(entry),
      onBug: (error) => this.bugs.push(error),
    });
    this.ledger = engine.ledger;
    this.scheduler = engine.scheduler;
    this.service = engine.service;
    this.retention = engine.retention;
    this.#engine = engine;
    if (options.started !== false) this.start();
  }

  start(): void {
    this.#engine.start();
  }

  /** Stops as a crash would: what was not committed is lost. */
  close(): Promise<void> {
    return this.#engine.close();
  }

  async create(draft: Partial<TaskDraft> & { options?: Partial<WritingOptions>; caller?: Caller } = {}): Promise<Task> {
    const { options, caller = alice, ...rest } = draft;
    const input = {
      messages: [{ role: "user", text: "Hello" }],
      options: { stop: [], format: { type: "text" }, ...options },
    } as never;
    const { task } = await this.service.create(caller, { ...defaults, input, ...rest });
    return task;
  }

  /** The task's status as stored. */
  status(id: string): TaskStatus | undefined {
    return this.store.task(id)?.status;
  }

  /** Lets the engine go on until `done`; throws when it comes to rest without. */
  async until(done: () => boolean): Promise<void> {
    for (let turns = 0; turns < 5_000; turns += 1) {
      if (done()) return;
      await setImmediate();
    }
    throw new Error("The engine came to rest before that happened");
  }

  /** Lets the engine run until the task has this status. */
  becomes(id: string, ...statuses: TaskStatus[]): Promise<void> {
    return this.until(() => statuses.some((status) => status === this.status(id)));
  }

  events(id: string): TaskEvent[] {
    return this.store.events(id, -1, 100_000);
  }

  /** The statuses that the task went through; throws when a recorded step is none that the life cycle has. */
  path(id: string): TaskStatus[] {
    const changes = this.store.changes(id);
    for (const { from, to } of changes)
      if (from !== null && !isLegalChange(from, to)) throw new Error(`No task goes from ${from} to ${to}`);
    return changes.map(({ to }) => to);
  }
}

export function scripted(model: ScriptedModel, others: Record<string, ScriptedModel> = {}): ScriptedBackend {
  return new ScriptedBackend({ models: { m: model, ...others } });
}

export function outputOf(task: Task | undefined): string {
  return task?.outcome?.kind === "result" ? task.outcome.result.items.map(({ text }) => text).join("") : "";
}

const defaults: Omit<TaskDraft, "input"> = {
  origin: "lmsp",
  listed: true,
  job: "respond",
  title: "Hello",
  model: null,
  unnamedModel: "refuse",
  onRestart: "fail",
  ttl: null,
  answers: [],
  faceData: null,
  idempotency: null,
};

export const noSnapshots: Snapshots = { fileOf: () => null, drop: () => undefined, keepOnly: () => undefined };

const anyModel = {
  list: async () => [],
  find: async (id: string) => ({ id, path: id, sizeBytes: 1, embedded: false, contextLength: null }),
};

function catalogueOf(installed: readonly ModelListing[]): ModelCatalogue {
  let models = installed;
  return {
    list: async () => models,
    choose: async (model, unnamed) => model ?? (unnamed === "refuse" ? "m" : null),
    forgive: (id) => {
      models = models.map((model) => (model.id === id ? { ...model, putAside: null } : model));
    },
  };
}
