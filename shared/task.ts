import type { Json } from "./json";
import type { RestartPolicy, TaskStatus } from "./lifecycle";
import type { Problem } from "./problem";
import type { QuestionType } from "./question";

export const taskOrigins = ["lmsp", "mcp", "desktop"] as const;
export type TaskOrigin = (typeof taskOrigins)[number];

/** Everything known of a task but its input, which can be large and is read on its own. Times are milliseconds. */
export interface Task {
  /** `task_` and a ULID; unguessable, yet never a credential: every task is bound to a client. */
  readonly id: string;
  /** Position in the order of creation; lists sort by it. */
  readonly row: number;
  /** The name of the client that owns it. */
  readonly client: string;
  /** What the caller says of itself, unverified (a User-Agent). */
  readonly caller: string | null;
  readonly origin: TaskOrigin;
  /** False for a plain call that runs as a task: only the window shows it. */
  readonly listed: boolean;
  /** Which job runs it, such as `respond`. */
  readonly job: string;
  /** What it is about in one line, for lists: at most 200 characters of what was asked. */
  readonly title: string;
  /** The model it runs on, chosen at creation; null when the job needs none. */
  readonly model: string | null;
  readonly status: TaskStatus;
  readonly onRestart: RestartPolicy;
  /** 1 for the first run; a restart or a crash of the inference process may begin another. */
  readonly attempt: number;
  readonly createdAt: number;
  /** Moves with the status only, never with reading or output. */
  readonly updatedAt: number;
  readonly responseId: string;
  /** How long the task is kept after `createdAt`; null keeps it until the person deletes it. */
  readonly ttl: number | null;
  /** Which kinds of question its caller said at creation it can answer. */
  readonly answers: readonly QuestionType[];
  /** What the face that made it needs to remember of it; nobody else reads it. */
  readonly faceData: Json | null;
  /** Present exactly when the status is terminal. */
  readonly outcome: Outcome | null;
  /** Number of the last event of its stream. */
  readonly lastSeq: number;
  /** The retention period of its events is over: they are gone, the task is not. */
  readonly eventsExpired: boolean;
  /** The engine-wide number of the last change to this task; a reader that knows it can ask for what is newer. */
  readonly rev: number;
}

export type Outcome =
  | { readonly kind: "result"; readonly result: JobResult }
  | { readonly kind: "error"; readonly problem: Problem }
  | { readonly kind: "cancelled"; readonly reason: string };

export const finishes = ["completed", "max_output_tokens", "context_length"] as const;
/** How a successful run ended: by itself or a stop string, at the client's token limit, or with a full context. */
export type Finish = (typeof finishes)[number];

export interface JobResult {
  readonly items: readonly OutputItem[];
  readonly finish: Finish;
  readonly usage: Usage;
  /** Structured output, for jobs that have any. */
  readonly data?: Json;
}

export interface OutputItem {
  /** `msg_` or `rs_` and a ULID. */
  readonly id: string;
  readonly type: OutputType;
  readonly text: string;
}

/** A reasoning model's thinking is kept apart from what it answers. */
export type OutputType = "message" | "reasoning";

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One recorded transition: the task's timeline is the list of these. `from === to` is a new attempt in place. */
export interface Change {
  readonly taskId: string;
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
  readonly at: number;
  readonly attempt: number;
  readonly rev: number;
  /** Why, in a few words, where the statuses alone do not say it. */
  readonly reason: string | null;
}
