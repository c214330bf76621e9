import type { TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import type { TaskStatus } from "../../shared/lifecycle";
import type { Question } from "../../shared/question";
import type { Change, Task } from "../../shared/task";

/**
 * Where tasks live. Synchronous, so that "read, decide, write" needs no lock; only the ledger calls what writes.
 * Every implementation passes `store/contract.ts`. Failures of the medium throw ProblemError `storage_failed`.
 */
export interface TaskStore {
  /**
   * Runs `work` as one transaction: all of it is kept or, when it throws, none.
   * `synced`: on the disk when this returns, so that it outlives a power cut. `written`: outlives a crash of this process.
   * Transactions do not nest.
   */
  transaction<T>(durability: "synced" | "written", work: () => T): T;

  /** Assigns the next `row`. The task must be new. */
  insert(task: Omit<Task, "row">, input: Json, idempotency: Idempotency | null): Task;
  /** Compare-and-set: changes the task only while its status is `expected`; otherwise returns undefined and does nothing. */
  update(id: string, expected: TaskStatus, patch: TaskPatch): Task | undefined;
  /**
   * Thousands of moves at once: for each what `update`, `addChange` and `addEvents` do, much faster. The tasks must have
   * been read in this transaction; a status that is another than `change.from` throws an Error.
   */
  moveAll(moves: readonly Move[]): void;
  addChange(change: Change): void;
  /** Appends to the task's stream; does not touch the task row (see `TaskPatch.lastSeq`). */
  addEvents(events: readonly TaskEvent[]): void;
  /** Drops the stream of a superseded attempt: every event but `created` (seq 0). */
  dropAttempt(id: string): void;
  /** Drops the whole stream of tasks that ended at or before `endedBefore` (milliseconds); returns their number, at most `limit`. */
  expireEvents(endedBefore: number, limit: number): number;
  /** Removes the task and everything of it. */
  remove(id: string): boolean;
  /** Records the outcome of a finished step of a job, once; a second record of the same key is ignored. */
  addStep(id: string, key: string, outcome: Json): void;
  /** The question must be new, its task must exist. */
  addQuestion(question: Question): void;
  /** Compare-and-set: only while the question is open; otherwise returns undefined and does nothing. */
  answerQuestion(id: string, answered: NonNullable<Question["answered"]>): Question | undefined;

  task(id: string): Task | undefined;
  input(id: string): Json | undefined;
  byIdempotencyKey(client: string, key: string): { task: Task; fingerprint: string } | undefined;
  /** What the task was created with; null when that was no key. */
  idempotency(id: string): Idempotency | null;
  /** Newest first. */
  tasks(query: TaskQuery): Task[];
  /** Those with a greater `row`, oldest first: a page of all tasks there are. */
  tasksAfter(row: number, limit: number): Task[];
  /** Every task that has not ended, oldest first. */
  unfinished(): Task[];
  /** Ended tasks whose `createdAt + ttl` and end both lie at or before `before` (milliseconds). */
  expired(before: number, limit: number): Task[];
  /**
   * Unfinished tasks whose `createdAt + ttl` lies at or before `now` (milliseconds), oldest expiry first. None in
   * `cancelling`: those are cancelled already, and would only wake a timer for nothing.
   */
  overdue(now: number, limit: number): Task[];
  /** The earliest `createdAt + ttl` (milliseconds) among those that `overdue` can return, past or to come; for a timer. */
  nextExpiry(): number | undefined;
  changes(id: string): Change[];
  /** Events with `seq > after`, in order, at most `limit`. */
  events(id: string, after: number, limit: number): TaskEvent[];
  steps(id: string): ReadonlyMap<string, Json>;
  /** The task's questions, open and answered, oldest first. */
  questions(taskId: string): Question[];
  /** The model of the newest task, among `models`; undefined when none of them was ever used. */
  lastUsedModel(models: readonly string[]): string | undefined;
  /** The highest `rev` ever written, 0 for an empty store. */
  lastRev(): number;

  /** Adds or replaces a client by its name; returns it as stored. */
  putClient(client: ClientRecord): void;
  client(name: string): ClientRecord | undefined;
  clients(): ClientRecord[];
  /** Notes that the client was here; at most a hint, never worth a sync. */
  touchClient(name: string, at: number): void;

  close(): void;
}

export interface Move {
  /** As it is afterwards. */
  readonly task: Task;
  readonly change: Change;
  readonly events: readonly TaskEvent[];
}

export interface Idempotency {
  readonly key: string;
  /** A digest of the request that came with the key. */
  readonly fingerprint: string;
}

export type TaskPatch = Partial<
  Pick<Task, "status" | "model" | "attempt" | "updatedAt" | "outcome" | "lastSeq" | "rev">
>;

export interface TaskQuery {
  readonly client?: string;
  readonly jobs?: readonly string[];
  readonly listed?: boolean;
  readonly statuses?: readonly TaskStatus[];
  /** Only tasks with a smaller row: the position after which the page starts. */
  readonly beforeRow?: number;
  readonly limit: number;
}

/** A client: who may call, and how much. The token itself is never stored. */
export interface ClientRecord {
  readonly name: string;
  /** SHA-256 of the token that outlives a restart, lower-case hex; null for a client that has none (the window). */
  readonly tokenHash: string | null;
  /** Limits of this client that differ from the settings. */
  readonly limits: Readonly<Record<string, number>>;
  readonly createdAt: number;
  readonly lastSeenAt: number | null;
}
