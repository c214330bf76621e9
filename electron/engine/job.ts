import type { Json } from "../../shared/json";
import type { Message, WritingOptions } from "../../shared/message";
import type { Answer, QuestionBody } from "../../shared/question";
import type { JobResult, Task } from "../../shared/task";
import type { GenerationStep } from "./backend";
import type { ModelListing } from "./models";

/** What a task can be. A job is stateless; all that one run needs is in its context. */
export interface Job {
  readonly name: string;
  /** Runs the task to its result. Throws ProblemError for an expected failure, `context.signal.reason` when stopped. */
  run(context: JobContext): Promise<JobResult>;
}

export type Generate = (messages: readonly Message[], options: WritingOptions) => AsyncIterable<GenerationStep>;

export interface JobContext {
  readonly task: Task;
  /** As stored at creation, validated then. */
  readonly input: Json;
  /** Aborts when the task is cancelled or the host stops. */
  readonly signal: AbortSignal;
  /** Writes with the task's model. */
  readonly generate: Generate;
  /** How many tokens prompt and output may have together with that model (`ModelInfo.contextLength`). */
  contextLength(): number;
  /**
   * Streams what `work` generates into the task's output, in batches; returns what was written. Once per task. What an
   * earlier attempt has left of it stays: the `generate` that `work` is given goes on behind its last token, and a
   * request without a seed gets one that stays the same in later attempts.
   */
  write(work: (generate: Generate) => AsyncIterable<GenerationStep>): Promise<JobResult>;
  /** Runs `work` once per key and task: a later attempt gets the recorded outcome without running it again. */
  step<T extends Json>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Asks the caller, when it can answer such a question, and the person at the window; `person` asks nobody else. The
   * model's slot is free meanwhile. Once per key and task, as `step`; the answer to a form is checked by its schema.
   * Throws ProblemError `nobody_to_ask` when there is nobody, `no_person` when the person alone was meant.
   */
  ask(key: string, body: QuestionBody, to?: "anyone" | "person"): Promise<Answer>;
  /** Tells how far the job is in its own terms, such as the parts of a long text; at most a few times a second. */
  progress(done: number, total: number, note: string): void;
  /** What is installed here. */
  models(): Promise<readonly ModelListing[]>;
  /** The model that this run writes with from here on, for a task that was made without one. Waits for its slot. */
  useModel(model: string): Promise<void>;
}
