import { ProblemError, problemOf } from "../../shared/problem";
import type { JobResult, Outcome, Task } from "../../shared/task";
import { type Backend, BackendReplacedError, type GenerationStep, type ModelInfo } from "./backend";
import type { Clock } from "./clock";
import type { NewId } from "./ids";
import type { Job, JobContext } from "./job";
import type { Ledger } from "./ledger";
import type { ModelLibrary, SpecOf } from "./models";
import { OutputWriter } from "./output-writer";
import type { TaskStore } from "./store";

/** Why a run was stopped without being cancelled: its task is left for the next start. */
export class HostStopping extends Error {}

/** A task that loses its inference process this often is not tried again. */
const crashLimit = 3;
/** How long to wait before an end that could not be stored is tried again. */
const settleAgainAfter = 1_000;

export interface RunnerParts {
  readonly ledger: Ledger;
  readonly store: TaskStore;
  readonly backend: Backend;
  readonly library: ModelLibrary;
  readonly specOf: SpecOf;
  readonly jobs: readonly Job[];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly onBug: (error: unknown, taskId: string) => void;
}

/** The place that the scheduler gave a run. */
export interface Slot {
  /** A model that has to go first. */
  readonly evict: string | undefined;
  loaded(info: ModelInfo): void;
}

/** Takes one task from `queued` to its end. */
export class Runner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Resolves when the task has ended, or has been left for the next start; never rejects. */
  async run(task: Task, slot: Slot, signal: AbortSignal): Promise<void> {
    try {
      if (this.#parts.ledger.move(task.id, "queued", "loading") === undefined) return;
      if (slot.evict !== undefined) await this.#parts.backend.unload(slot.evict);
      const result = await this.#attempts(task, slot, signal);
      await this.#settle(task.id, "succeeded", { kind: "result", result }, signal);
    } catch (error) {
      if (signal.reason instanceof HostStopping) return;
      if (!(error instanceof ProblemError) && !signal.aborted) this.#parts.onBug(error, task.id);
      await this.#settle(task.id, "failed", { kind: "error", problem: problemOf(error) }, signal);
    }
  }

  /** Runs until an attempt ends by itself; a lost inference process may begin another in place. */
  async #attempts(task: Task, slot: Slot, signal: AbortSignal): Promise<JobResult> {
    for (let crashes = 0; ; ) {
      try {
        return await this.#attempt(task.id, slot, signal);
      } catch (error) {
        signal.throwIfAborted();
        const replaced = error instanceof BackendReplacedError;
        if (!replaced && !isCrash(error)) throw error;
        if (!replaced) crashes += 1;
        if (!replaced && (task.onRestart === "fail" || crashes >= crashLimit)) throw error;
        const current = this.#current(task.id);
        this.#parts.ledger.restartAttempt(current, replaced ? "inference process replaced" : "inference process lost");
      }
    }
  }

  async #attempt(id: string, slot: Slot, signal: AbortSignal): Promise<JobResult> {
    await this.#load(this.#current(id), slot, signal);
    signal.throwIfAborted();
    const task = this.#current(id);
    if (task.status === "loading")
      this.#parts.ledger.move(id, "loading", "running", { events: [{ type: "started", attempt: task.attempt }] });
    const job = this.#parts.jobs.find(({ name }) => name === task.job);
    if (job === undefined) throw new Error(`No job is called ${task.job}`);
    return await job.run(this.#context(this.#current(id), signal));
  }

  async #load(task: Task, slot: Slot, signal: AbortSignal): Promise<void> {
    if (task.model === null) return;
    const { backend, library, specOf } = this.#parts;
    const model = await library.find(task.model);
    if (model === undefined)
      throw new ProblemError("model_not_found", `The model "${task.model}" is no longer installed; choose another.`);
    slot.loaded(await backend.load(specOf(model), signal));
  }

  #context(task: Task, signal: AbortSignal): JobContext {
    const { ledger, store, backend, clock, newId } = this.#parts;
    const append: ConstructorParameters<typeof OutputWriter>[0] = (bodies) => {
      if (ledger.append(task.id, bodies)) return;
      signal.throwIfAborted();
      throw new Error("A task that does not run has no output");
    };
    return {
      task,
      input: store.input(task.id) ?? null,
      signal,
      generate(messages, options) {
        if (task.model === null) throw new Error(`The job ${task.job} has no model to write with`);
        return tellingReading(backend.generate({ model: task.model, messages, options }, signal), ledger, task.id);
      },
      write: (steps) => new OutputWriter(append, clock, newId).write(steps),
      async step<T>(key: string, work: () => Promise<T>): Promise<T> {
        const recorded = store.steps(task.id);
        if (recorded.has(key)) return recorded.get(key) as T;
        const outcome = await work();
        ledger.recordStep(task.id, key, outcome as never);
        return outcome;
      },
    };
  }

  /** Ends the task: cancelled when a cancel was committed first, else as its run ended. */
  async #settle(id: string, to: "succeeded" | "failed", outcome: Outcome, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        this.#end(this.#current(id), to, outcome);
        return;
      } catch (error) {
        if (!(error instanceof ProblemError)) this.#parts.onBug(error, id);
        if (!(error instanceof ProblemError) || signal.reason instanceof HostStopping) return;
        await new Promise<void>((resolve) => this.#parts.clock.after(settleAgainAfter, resolve));
      }
    }
  }

  #end(task: Task, to: "succeeded" | "failed", outcome: Outcome): void {
    const { ledger, store } = this.#parts;
    const events = [{ type: "ended" }] as const;
    if (task.status !== "cancelling") {
      ledger.move(task.id, task.status, to, { outcome, events });
      return;
    }
    const reason = store.changes(task.id).at(-1)?.reason ?? "cancelled";
    ledger.move(task.id, "cancelling", "cancelled", { outcome: { kind: "cancelled", reason }, events });
  }

  #current(id: string): Task {
    const task = this.#parts.store.task(id);
    if (task === undefined) throw new Error(`The task ${id} is gone while it runs`);
    return task;
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === "backend_crashed";
}

/** The same steps; how much of the prompt is read is told on the way. */
async function* tellingReading(
  steps: AsyncIterable<GenerationStep>,
  ledger: Ledger,
  taskId: string,
): AsyncGenerator<GenerationStep, void> {
  for await (const step of steps) {
    if (step.type === "reading") ledger.tellReading(taskId, step.read, step.total);
    yield step;
  }
}
