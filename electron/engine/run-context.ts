import { randomInt } from "node:crypto";
import type { EventBody } from "../../shared/event";
import type { Json } from "../../shared/json";
import type { Message, WritingOptions } from "../../shared/message";
import { ProblemError } from "../../shared/problem";
import type { Answer, Question, QuestionBody } from "../../shared/question";
import type { JobResult, Task } from "../../shared/task";
import type { GenerationStep, Snapshot } from "./backend";
import type { Generate, JobContext } from "./job";
import type { ModelListing } from "./models";
import { OutputWriter } from "./output-writer";
import type { Place } from "./place";
import type { RunParts } from "./run-parts";
import { currentTask } from "./settle";
import { storedOutput } from "./stored-output";
import type { WaitingRoom } from "./waiting-room";

/** The step that records the seed; no job's own key begins so. */
const seedKey = "engine: seed";
const seeds = 0x7fff_ffff;

/** What one attempt of a run gives its job. */
export class RunContext implements JobContext {
  readonly input: Json;
  readonly signal: AbortSignal;
  readonly #parts: RunParts;
  readonly #place: Place;
  readonly #waitingRoom: WaitingRoom;
  #task: Task;
  #contextLength: number | null = null;
  #pause: Promise<void> | undefined;

  constructor(parts: RunParts, task: Task, place: Place, waitingRoom: WaitingRoom, signal: AbortSignal) {
    this.#parts = parts;
    this.#task = task;
    this.#place = place;
    this.#waitingRoom = waitingRoom;
    this.signal = signal;
    this.input = parts.store.input(task.id) ?? null;
  }

  get task(): Task {
    return this.#task;
  }

  contextLength(): number {
    if (this.#contextLength === null) throw new Error(`The job ${this.#task.job} has no model to write with`);
    return this.#contextLength;
  }

  /** Makes the task's model ready, in the place that is held. Throws ProblemError, or `signal.reason`. */
  async load(): Promise<void> {
    const { backend, library, specOf } = this.#parts;
    const evict = this.#place.takeEviction();
    if (evict !== undefined) await backend.unload(evict);
    if (this.#task.model === null) return;
    const model = await library.find(this.#task.model);
    if (model === undefined)
      throw new ProblemError(
        "model_not_found",
        `The model "${this.#task.model}" is no longer installed; choose another.`,
      );
    const info = await backend.load(specOf(model), this.signal);
    this.#contextLength = info.contextLength;
    this.#place.loaded(info);
  }

  readonly generate: Generate = (messages, options) => this.#generate(messages, options);

  async write(work: (generate: Generate) => AsyncIterable<GenerationStep>): Promise<JobResult> {
    const { store, clock, newId, snapshots } = this.#parts;
    const { id } = this.#task;
    const stored = storedOutput(store, id);
    if (stored.whole !== undefined)
      return { items: stored.items.map(({ head, text }) => ({ ...head, text })), ...stored.whole };
    const snapshot = { tokens: stored.tokens, file: snapshots.fileOf(id) };
    const steps = work((messages, options) => this.#generate(messages, options, snapshot));
    return await new OutputWriter({ append: (bodies) => this.#append(bodies), clock, newId, stored }).write(steps);
  }

  async step<T extends Json>(key: string, work: () => Promise<T>): Promise<T> {
    const recorded = this.#parts.store.steps(this.#task.id);
    if (recorded.has(key)) return recorded.get(key) as T;
    const outcome = await work();
    this.#parts.ledger.recordStep(this.#task.id, key, outcome);
    return outcome;
  }

  async ask(key: string, body: QuestionBody, to: "anyone" | "person" = "anyone"): Promise<Answer> {
    const { id } = this.#question(key) ?? this.#newQuestion(key, body, to);
    if (this.#answerOf(id) === undefined) await this.#untilAnswered();
    const answer = this.#answerOf(id);
    if (answer === undefined) throw new Error(`The task ${this.#task.id} runs while its question ${id} is open`);
    return answer;
  }

  progress(done: number, total: number, note: string): void {
    this.#parts.ledger.tell({ kind: "progress", ...this.#whose(), done, total, note });
  }

  models(): Promise<readonly ModelListing[]> {
    return this.#parts.catalogue.list();
  }

  async useModel(model: string): Promise<void> {
    this.#parts.ledger.setModel(this.#task.id, model);
    this.#task = { ...this.#task, model };
    await this.#place.acquire(model, this.signal);
    await this.load();
  }

  #generate(messages: readonly Message[], options: WritingOptions, snapshot?: Snapshot): AsyncIterable<GenerationStep> {
    const { model, job } = this.#task;
    if (model === null) throw new Error(`The job ${job} has no model to write with`);
    const request =
      snapshot === undefined
        ? { model, messages, options }
        : { model, messages, options: { seed: this.#seed(), ...options }, snapshot };
    return this.#tellingReading(this.#parts.backend.generate(request, this.signal), snapshot?.tokens.length ?? 0);
  }

  /** Drawn once per task and recorded, so that a later attempt makes the same choices. */
  #seed(): number {
    const { store, ledger } = this.#parts;
    const recorded = store.steps(this.#task.id).get(seedKey);
    if (typeof recorded === "number") return recorded;
    const seed = randomInt(seeds);
    ledger.recordStep(this.#task.id, seedKey, seed);
    return seed;
  }

  #append(bodies: readonly EventBody[]): void {
    if (this.#parts.ledger.append(this.#task.id, bodies)) return;
    this.signal.throwIfAborted();
    throw new Error("A task that does not run has no output");
  }

  #question(key: string): Question | undefined {
    return this.#parts.store.questions(this.#task.id).find((question) => question.key === key);
  }

  #newQuestion(key: string, body: QuestionBody, to: "anyone" | "person"): Question {
    const answerers = this.#parts.people.whoAnswers(this.#task, body, to);
    const question = this.#parts.ledger.ask(this.#task.id, { key, body, to: answerers });
    if (question !== undefined) return question;
    this.signal.throwIfAborted();
    throw new Error("A task that does not run asks nothing");
  }

  #answerOf(id: string): Answer | undefined {
    return this.#parts.store.questions(this.#task.id).find((question) => question.id === id)?.answered?.answer;
  }

  /** Questions that a job asks at the same time share one pause: the task runs on when all are answered. */
  #untilAnswered(): Promise<void> {
    this.#pause ??= this.#giveWay().finally(() => {
      this.#pause = undefined;
    });
    return this.#pause;
  }

  async #giveWay(): Promise<void> {
    do {
      this.#place.release();
      await this.#waitingRoom.untilAnswered(this.signal);
      await this.#place.acquire(this.#task.model, this.signal);
      await this.load();
    } while (currentTask(this.#parts.store, this.#task.id).status === "input_required");
  }

  /** The same steps; how much of the prompt is read is told on the way. */
  async *#tellingReading(steps: AsyncIterable<GenerationStep>, written: number): AsyncGenerator<GenerationStep, void> {
    for await (const step of steps) {
      if (step.type === "reading") {
        const { read, total } = step;
        this.#parts.ledger.tell({ kind: "reading", ...this.#whose(), read, total, written });
      }
      yield step;
    }
  }

  #whose(): { taskId: string; client: string } {
    return { taskId: this.#task.id, client: this.#task.client };
  }
}
