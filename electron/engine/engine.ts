import { isTerminal } from "../../shared/lifecycle";
import type { Settings } from "../../shared/settings";
import type { Audit } from "./audit";
import type { Backend } from "./backend";
import type { Clock } from "./clock";
import { newIds } from "./ids";
import type { Job } from "./job";
import { Ledger } from "./ledger";
import type { ModelCatalogue, ModelLibrary, SpecOf } from "./models";
import { People } from "./people";
import { recover } from "./recovery";
import { Retention } from "./retention";
import { Runner } from "./runner";
import { Scheduler } from "./scheduler";
import type { Snapshots } from "./snapshots";
import type { TaskStore } from "./store";
import { TaskService } from "./task-service";

export interface EngineParts {
  readonly store: TaskStore;
  readonly backend: Backend;
  readonly library: ModelLibrary;
  readonly catalogue: ModelCatalogue;
  readonly specOf: SpecOf;
  readonly jobs: readonly Job[];
  readonly snapshots: Snapshots;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly audit: Audit;
  /** A fault of Simmer's own, with the task that it hit. */
  readonly onBug: (error: unknown, taskId: string | null) => void;
}

/** The engine's parts, put together. Nothing is read, written or run before `start`. */
export class Engine {
  readonly ledger: Ledger;
  readonly scheduler: Scheduler;
  readonly service: TaskService;
  readonly retention: Retention;
  readonly #store: TaskStore;
  readonly #snapshots: Snapshots;
  readonly #halt = new AbortController();

  constructor(parts: EngineParts) {
    const { store, clock, settings, onBug, snapshots } = parts;
    this.#store = store;
    this.#snapshots = snapshots;
    const newId = newIds(() => clock.now());
    const people = new People();
    this.ledger = new Ledger(store, clock, newId, (error) => onBug(error, null));
    this.ledger.subscribe((fact) => {
      if (fact.kind === "moved" && isTerminal(fact.task.status)) snapshots.drop(fact.taskId);
    });
    const runner = new Runner({ ...parts, ledger: this.ledger, people, newId, halted: this.#halt.signal });
    this.scheduler = new Scheduler(runner, settings["models.resident"]);
    this.service = new TaskService({ ...parts, ledger: this.ledger, runner: this.scheduler, people });
    this.retention = new Retention(this.ledger, store, clock, settings["retention.events"]);
  }

  /**
   * Takes up what is stored, applies the restart rules and begins. Throws ProblemError `storage_failed`; then nothing
   * runs, and it may be called again.
   */
  start(): void {
    this.ledger.load();
    const { queued, asking } = recover(this.#store, this.ledger);
    this.#snapshots.keepOnly(new Set([...queued, ...asking].map(({ id }) => id)));
    for (const task of queued) this.scheduler.enqueue(task);
    this.service.start();
    this.retention.start();
  }

  /** Starts nothing more and stops what runs, leaving its tasks as a crash would; resolves when all is idle. */
  async close(): Promise<void> {
    this.#halt.abort();
    this.retention.close();
    this.service.close();
    await this.scheduler.close();
  }
}
