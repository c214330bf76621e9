import type { Message, WritingOptions } from "../../shared/message";
import { ProblemError } from "../../shared/problem";
import type { Finish, OutputType, Usage } from "../../shared/task";

/**
 * What runs models. The same interface on both sides of the process border: llama.cpp and the scripted fake implement
 * it, and the process host implements it over a channel. Every implementation passes `backend/contract.ts`.
 */
export interface Backend {
  /**
   * Makes the model ready; at once when it is. Concurrent calls for one model share a single load, and a caller that
   * aborts leaves the load to the others; when the last one aborts, the load is stopped or its model put away.
   * Throws ProblemError `model_load_failed`, or `signal.reason`.
   */
  load(model: ModelSpec, signal: AbortSignal): Promise<ModelInfo>;
  /** Frees the model once nothing generates with it; not loaded is not an error. */
  unload(model: string): Promise<void>;
  /**
   * Writes a text with a loaded model. Ends after its `ended` step. When it throws, or returns after an abort, the
   * backend has stopped: nothing is computed any more and the slot is free.
   * Throws ProblemError (`context_length_exceeded`, `invalid_request`, `backend_crashed`) or `signal.reason`.
   */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<GenerationStep>;
  stats(): Promise<BackendStats>;
  /** Stops everything and frees it. Idempotent. */
  close(): Promise<void>;
}

export interface ModelSpec {
  readonly id: string;
  /** The file; the first part of a split model. */
  readonly path: string;
  /** Null chooses. */
  readonly contextLength: number | null;
  readonly threads: number | null;
  readonly parallel: number | null;
  readonly gpu: boolean;
}

export interface ModelInfo {
  readonly id: string;
  /** Tokens that one task may use, prompt and output together. */
  readonly contextLength: number;
  /** How many tasks can generate at the same time. */
  readonly parallel: number;
}

export interface GenerateRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly options: WritingOptions;
  /** Absent for a text that begins. */
  readonly snapshot?: Snapshot;
}

/**
 * Where a text goes on that was begun before, in this process or another. The steps are those of the whole text: what
 * the tokens bring comes first, without being decided anew, then goes on as if there had been no interruption.
 */
export interface Snapshot {
  /** Ids of the text so far, all of them. */
  readonly tokens: readonly number[];
  /** A file that the backend may keep the context's state in, to spare the next one reading; null keeps none. */
  readonly file: string | null;
}

export type GenerationStep =
  /** Reading the prompt; at most a few per second, the last one with `read === total`. */
  | { readonly type: "reading"; readonly read: number; readonly total: number }
  /**
   * What one or more tokens brought. `text` is whole, well-formed characters, "" while they are held back;
   * `tokens` are all ids decoded since the step before. Texts of one type join to that item's text.
   */
  | { readonly type: "piece"; readonly output: OutputType; readonly text: string; readonly tokens: readonly number[] }
  /** The last one. `end` is the model's own end, `stop_string` a stop string of the request. */
  | { readonly type: "ended"; readonly reason: EndReason; readonly usage: Usage };

export type EndReason = "end" | "stop_string" | "max_tokens" | "context_full";

/** How a run ended for its client, by why the writing did. */
export const finishOf = {
  end: "completed",
  stop_string: "completed",
  max_tokens: "max_output_tokens",
  context_full: "context_length",
} as const satisfies Record<EndReason, Finish>;

export interface BackendStats {
  /** Calls of `generate` that have not stopped. 0 is idle. */
  readonly generating: number;
  /** Tokens generated since the process started. */
  readonly generatedTokens: number;
  /** Prompt tokens read since the process started. */
  readonly readTokens: number;
  /** Ids of the loaded models. */
  readonly loaded: readonly string[];
  /** Loads begun since the process started. */
  readonly loads: number;
  /** The process that runs the models. */
  readonly pid: number;
}

/** The process was replaced on purpose, because another call did not stop: this call may simply be made again. */
export class BackendReplacedError extends ProblemError {
  constructor() {
    super("backend_crashed", "The inference process was replaced because another task in it did not stop.");
    this.name = "BackendReplacedError";
  }
}
