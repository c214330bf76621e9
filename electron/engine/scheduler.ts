import type { Task } from "../../shared/task";
import { ModelSlots } from "./model-slots";
import { HeldPlace } from "./place";
import type { Run } from "./run";
import type { Runner } from "./runner";
import { HostStopping } from "./settle";
import type { TaskRunner } from "./task-service";
import { Turns, type Waiting } from "./turns";

/** What waits for a turn: a task that has not begun, or one that waits for its place again. */
interface Entry extends Waiting {
  readonly start: (evict: string | undefined) => void;
}

interface Running {
  readonly run: Run;
  readonly done: Promise<void>;
}

/** Decides which waiting task starts when, and holds what runs. */
export class Scheduler implements TaskRunner {
  readonly #runner: Runner;
  readonly #slots: ModelSlots;
  readonly #turns = new Turns<Entry>();
  readonly #running = new Map<string, Running>();
  #stopping = false;

  constructor(runner: Runner, maxResidentModels: number) {
    this.#runner = runner;
    this.#slots = new ModelSlots(maxResidentModels);
  }

  enqueue(task: Task): void {
    this.#wait(task, task.model, (evict) => this.#start(task, evict));
  }

  forget(task: Task): void {
    this.#turns.remove(task);
  }

  stop(task: Task): void {
    const running = this.#running.get(task.id);
    if (running !== undefined) {
      running.run.stop();
      return;
    }
    // Nothing runs for it: it waits for an answer, or for its place after one, since before a restart.
    this.#turns.remove(task);
    this.#runner.stopped(task);
  }

  answered(task: Task): void {
    const running = this.#running.get(task.id);
    if (running !== undefined) running.run.answered();
    else this.enqueue(task);
  }

  position(task: Task): number {
    return this.#turns.position(task);
  }

  /** Starts nothing more and stops what runs, leaving its tasks as a crash would; resolves when all is idle. */
  async close(): Promise<void> {
    this.#stopping = true;
    const running = [...this.#running.values()];
    for (const { run } of running) run.stop(new HostStopping());
    await Promise.all(running.map(({ done }) => done));
  }

  #fill(): void {
    while (!this.#stopping) {
      const entry = this.#turns.take((model) => this.#slots.mayStart(model));
      if (entry === undefined) return;
      entry.start(this.#slots.take(entry.model));
    }
  }

  #wait(task: Task, model: string | null, start: Entry["start"]): () => void {
    const entry: Entry = { id: task.id, client: task.client, row: task.row, model, start };
    this.#turns.add(entry);
    this.#fill();
    return () => this.#turns.remove(entry);
  }

  #start(task: Task, evict: string | undefined): void {
    const parts = {
      slots: this.#slots,
      freed: () => this.#fill(),
      wait: (model: string | null, start: Entry["start"]) => this.#wait(task, model, start),
    };
    const place = new HeldPlace(parts, task.model, evict);
    const run = this.#runner.prepare(task, place);
    // Not before it is in the map: a cancel may come while it starts.
    const done = Promise.resolve()
      .then(() => run.start())
      .finally(() => {
        this.#running.delete(task.id);
        place.release();
      });
    this.#running.set(task.id, { run, done });
  }
}
