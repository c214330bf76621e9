import type { TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import { recoveryOf } from "../../shared/lifecycle";
import type { Question } from "../../shared/question";
import type { Change, Outcome, Task } from "../../shared/task";
import type { Idempotency, TaskStore } from "./store";

/** A task with all that belongs to it, as another store knows it. */
export interface TaskRecord {
  readonly task: Omit<Task, "row" | "rev">;
  readonly input: Json;
  readonly idempotency: Idempotency | null;
  /** What happened to it, in order; an element is what was committed together. */
  readonly commits: readonly Commit[];
  readonly steps: readonly (readonly [key: string, outcome: Json])[];
  readonly questions: readonly Question[];
}

export interface Commit {
  readonly changes: readonly Omit<Change, "rev">[];
  readonly events: readonly Omit<TaskEvent, "rev">[];
}

const outcomes = {
  failed: {
    kind: "error",
    problem: {
      code: "server_restarted",
      detail: "The task had not ended when it was exported, and an import runs nothing; create it again.",
    },
  },
  cancelled: { kind: "cancelled", reason: "cancelled before it was exported" },
} as const satisfies Record<string, Outcome>;

/**
 * Stores the task as it is, as the newest of all; undefined when there is one of its id, which stays as it is. One that
 * had not ended ends as a restart with the policy `fail` would end it, whatever its own: it may run on where it came from.
 */
export function adopt(store: TaskStore, record: TaskRecord, at: number, nextRev: () => number): Task | undefined {
  if (store.task(record.task.id) !== undefined) return undefined;
  const { task, input, idempotency, commits, steps, questions } = ended(record, at);
  const numbered = commits.map((commit) => ({ ...commit, rev: nextRev() }));
  const rev = numbered.at(-1)?.rev ?? nextRev();
  const adopted = store.insert({ ...task, rev }, input, unlessUsed(store, task.client, idempotency));
  for (const { changes, events, rev } of numbered) {
    for (const change of changes) store.addChange({ ...change, rev });
    store.addEvents(events.map((event) => ({ ...event, rev })));
  }
  for (const [key, outcome] of steps) store.addStep(task.id, key, outcome);
  for (const question of questions) store.addQuestion(question);
  return adopted;
}

function ended(record: TaskRecord, at: number): TaskRecord {
  const { task, commits } = record;
  const to = recoveryOf(task.status, "fail");
  if (to !== "failed" && to !== "cancelled") return record;
  const { id: taskId, status: from, attempt } = task;
  const seq = task.lastSeq + 1;
  const end: Commit = {
    changes: [{ taskId, from, to, at, attempt, reason: "imported before it had ended" }],
    events: [{ taskId, seq, at, body: { type: "ended" } }],
  };
  return {
    ...record,
    task: { ...task, status: to, outcome: outcomes[to], updatedAt: at, lastSeq: seq },
    commits: [...commits, end],
  };
}

/** The key goes on meaning the task that it means here. */
function unlessUsed(store: TaskStore, client: string, idempotency: Idempotency | null): Idempotency | null {
  const isUsed = idempotency !== null && store.byIdempotencyKey(client, idempotency.key) !== undefined;
  return isUsed ? null : idempotency;
}
