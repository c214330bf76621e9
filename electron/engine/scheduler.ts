import type { Task } from "../../shared/task";
import { ModelSlots } from "./model-slots";
import { HostStopping, type Runner } from "./runner";
import type { TaskRunner } from "./task-service";
import { Turns } from "./turns";

/** Decides which waiting task starts when, and holds what runs. */
export class Scheduler implements TaskRunner {
  readonly #runner: Runner;
  readonly #slots: ModelSlots;
  readonly #turns = new Turns<Task>();
  readonly #running = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();
  #stopping = false;

  constructor(runner: Runner, maxResidentModels: number) {
    this.#runner = runner;
    this.#slots = new ModelSlots(maxResidentModels);
  }

  enqueue(task: Task): void {
    this.#turns.add(task);
    this.#fill();
  }

  forget(task: Task): void {
    this.#turns.remove(task);
  }

  stop(id: string): void {
    this.#running.get(id)?.controller.abort();
  }

  /** Starts nothing more and stops what runs, leaving its tasks as a crash would; resolves when all is idle. */
  async close(): Promise<void> {
    this.#stopping = true;
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort(new HostStopping());
    await Promise.all(running.map(({ done }) => done));
  }

  #fill(): void {
    while (!this.#stopping) {
      const task = this.#turns.take((model) => this.#slots.mayStart(model));
      if (task === undefined) return;
      this.#start(task);
    }
  }

  #start(task: Task): void {
    const controller = new AbortController();
    const evict = this.#slots.take(task.model);
    const slot = {
      evict,
      loaded: (info: Parameters<ModelSlots["loaded"]>[0]) => {
        this.#slots.loaded(info);
        this.#fill();
      },
    };
    const done = this.#runner.run(task, slot, controller.signal).finally(() => {
      this.#running.delete(task.id);
      this.#slots.release(task.model);
      this.#fill();
    });
    this.#running.set(task.id, { controller, done });
  }
}
