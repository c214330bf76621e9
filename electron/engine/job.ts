import type { Json } from "../../shared/json";
import type { Message, WritingOptions } from "../../shared/message";
import type { JobResult, Task } from "../../shared/task";
import type { GenerationStep } from "./backend";

/** What a task can be. A job is stateless; all that one run needs is in its context. */
export interface Job {
  readonly name: string;
  /** Runs the task to its result. Throws ProblemError for an expected failure, `context.signal.reason` when stopped. */
  run(context: JobContext): Promise<JobResult>;
}

export interface JobContext {
  readonly task: Task;
  /** As stored at creation, validated then. */
  readonly input: Json;
  /** Aborts when the task is cancelled or the host stops. */
  readonly signal: AbortSignal;
  /** Writes with the task's model. */
  generate(messages: readonly Message[], options: WritingOptions): AsyncIterable<GenerationStep>;
  /** Streams the steps into the task's output, in batches; returns what was written. */
  write(steps: AsyncIterable<GenerationStep>): Promise<JobResult>;
  /** Runs `work` once per key and task: a later attempt gets the recorded outcome without running it again. */
  step<T extends Json>(key: string, work: () => Promise<T>): Promise<T>;
}
