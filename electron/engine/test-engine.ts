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
import type { Backend } from "./backend";
import type { Caller } from "./caller";
import { newIds } from "./ids";
import { Ledger } from "./ledger";
import { recover } from "./recovery";
import { Retention } from "./retention";
import { Runner } from "./runner";
import { Scheduler } from "./scheduler";
import type { TaskStore } from "./store";
import { type TaskDraft, TaskService } from "./task-service";
import { TestClock } from "./test-clock";

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

  constructor(backend: Backend, options: { store?: TaskStore; clock?: TestClock; settings?: Partial<Settings> } = {}) {
    const settings = settingsSchema.parse(options.settings ?? {});
    const clock = options.clock ?? new TestClock();
    const store = options.store ?? new MemoryStore();
    const newId = newIds(() => clock.now());
    const onBug = (error: unknown) => this.bugs.push(error);
    const ledger = new Ledger(store, clock, newId, onBug);
    const waiting = recover(store, ledger);
    const specOf = ({ id, path }: { id: string; path: string }) => ({
      id,
      path,
      contextLength: null,
      threads: null,
      parallel: null,
      gpu: false,
    });
    const runner = new Runner({ ledger, store, backend, library: anyModel, specOf, jobs, clock, newId, onBug });
    this.clock = clock;
    this.store = store;
    this.backend = backend;
    this.ledger = ledger;
    this.scheduler = new Scheduler(runner, settings["models.resident"]);
    const catalogue = { list: async () => [], choose: async (model: string | null) => model ?? "m" };
    this.service = new TaskService({ ledger, store, runner: this.scheduler, catalogue, settings, clock });
    this.retention = new Retention(ledger, store, clock, settings["retention.events"]);
    for (const task of waiting) this.scheduler.enqueue(task);
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
  onRestart: "fail",
  ttl: null,
  answers: [],
  faceData: null,
  idempotency: null,
};

const anyModel = {
  list: async () => [],
  find: async (id: string) => ({ id, path: id, sizeBytes: 1, embedded: false, contextLength: null }),
};
