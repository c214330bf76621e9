import { type EventBody, modelSoFar } from "../../shared/event";
import { ProblemError, problemOf } from "../../shared/problem";
import type { JobResult, Task } from "../../shared/task";
import { BackendReplacedError } from "./backend";
import { streamOfNextAttempt } from "./next-attempt";
import type { Place } from "./place";
import { RunContext } from "./run-context";
import type { RunParts } from "./run-parts";
import { currentTask, HostStopping, settle, untilStored } from "./settle";
import { WaitingRoom } from "./waiting-room";

/** A task that loses its inference process this often is not tried again. */
const crashLimit = 3;

/** One task's way from `queued`, or from an answer that came after a restart, to its end. */
export class Run {
  readonly #parts: RunParts;
  readonly #task: Task;
  readonly #place: Place;
  readonly #controller = new AbortController();
  readonly #waitingRoom: WaitingRoom;

  constructor(parts: RunParts, task: Task, place: Place) {
    this.#parts = parts;
    this.#task = task;
    this.#place = place;
    this.#waitingRoom = new WaitingRoom(() => parts.store.task(task.id)?.status === "input_required");
  }

  /** Resolves when the task has ended, or has been left for the next start; never rejects. */
  async start(): Promise<void> {
    const { id } = this.#task;
    const { signal } = this.#controller;
    try {
      if (!(await untilStored(this.#parts, () => this.#begin()))) return;
      const result = await this.#attempts();
      await settle(this.#parts, id, "succeeded", { kind: "result", result });
    } catch (error) {
      if (signal.reason instanceof HostStopping) return;
      if (!(error instanceof ProblemError) && !signal.aborted) this.#parts.onBug(error, id);
      await settle(this.#parts, id, "failed", { kind: "error", problem: problemOf(error) });
    }
  }

  /** A `HostStopping` leaves the task for the next start; otherwise it was moved to `cancelling`. */
  stop(reason?: HostStopping): void {
    this.#controller.abort(reason);
  }

  /** An answer to a question of this task was committed. */
  answered(): void {
    this.#waitingRoom.answered();
  }

  /** False when the task has moved on without this run. */
  #begin(): boolean {
    const { ledger } = this.#parts;
    const { id, status } = this.#task;
    if (status === "queued") return ledger.move(id, "queued", "loading") !== undefined;
    return ledger.restartAttempt(this.#task, "goes on after the restart", "goes on") !== undefined;
  }

  /** Runs until an attempt ends by itself; a lost inference process may begin another in place. */
  async #attempts(): Promise<JobResult> {
    const { ledger, store } = this.#parts;
    for (let crashes = 0; ; ) {
      try {
        return await this.#attempt();
      } catch (error) {
        this.#controller.signal.throwIfAborted();
        const replaced = error instanceof BackendReplacedError;
        if (!replaced && !isCrash(error)) throw error;
        if (!replaced) crashes += 1;
        if (!replaced && (this.#task.onRestart === "fail" || crashes >= crashLimit)) throw error;
        const current = currentTask(store, this.#task.id);
        const reason = replaced ? "inference process replaced" : "inference process lost";
        // Who lost its process through a neighbour goes on in place, whatever its policy.
        ledger.restartAttempt(current, reason, replaced ? "goes on" : streamOfNextAttempt[current.onRestart]);
      }
    }
  }

  async #attempt(): Promise<JobResult> {
    const { ledger, store, jobs } = this.#parts;
    const { id, job: name } = this.#task;
    const { signal } = this.#controller;
    const context = new RunContext(this.#parts, currentTask(store, id), this.#place, this.#waitingRoom, signal);
    await context.load();
    signal.throwIfAborted();
    const current = currentTask(store, id);
    const { status, attempt } = current;
    const goesOn = store.events(id, 0, 1).length > 0;
    const started: EventBody[] = goesOn ? [] : [{ type: "started", attempt, ...modelSoFar(current) }];
    if (status === "loading")
      await untilStored(this.#parts, () => ledger.move(id, "loading", "running", { events: started }));
    signal.throwIfAborted();
    const job = jobs.find((one) => one.name === name);
    if (job === undefined) throw new Error(`No job is called ${name}`);
    return await job.run(context);
  }
}

function isCrash(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === "backend_crashed";
}
