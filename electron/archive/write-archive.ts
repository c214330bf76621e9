import { createHash } from "node:crypto";
import type { Json } from "../../shared/json";
import type { Change, Task } from "../../shared/task";
import type { TaskStore } from "../engine/store";
import { type ArchiveLine, formatName, formatVersion, type Header, type LineOf } from "./format";

/** What an export reads; it shows one moment as long as it is open. */
export type ArchiveSource = Pick<
  TaskStore,
  "clients" | "tasksAfter" | "input" | "idempotency" | "changes" | "events" | "steps" | "questions"
>;

export interface ArchiveAbout {
  /** Version of Simmer. */
  readonly version: string;
  readonly at: number;
  readonly settings: Readonly<Record<string, Json>>;
}

const taskBatch = 100;
const eventBatch = 500;
/** In characters: what one turn of the event loop writes. */
const chunkSize = 65_536;

/**
 * The file of an export, in pieces; returns how many tasks it has. Between two pieces others get their turn, and no more
 * is in memory than a batch of events, however many tasks there are.
 */
export async function* archiveChunks(
  source: ArchiveSource,
  about: ArchiveAbout,
  signal: AbortSignal,
): AsyncGenerator<string, number> {
  const hash = createHash("sha256");
  let tasks = 0;
  let chunk = textOf(headerOf(about));
  for (const line of archiveLines(source, about)) {
    chunk += textOf(line);
    if (line.type === "task") tasks += 1;
    if (chunk.length < chunkSize) continue;
    hash.update(chunk);
    yield chunk;
    chunk = "";
    await nextTurn();
    signal.throwIfAborted();
  }
  const sha256 = hash.update(chunk).digest("hex");
  yield chunk + textOf({ type: "end", tasks, sha256 });
  return tasks;
}

function headerOf({ version, at }: ArchiveAbout): Header {
  const date = new Date(at).toISOString();
  return { type: "header", format: formatName, version: formatVersion, simmer: version, at: date };
}

function* archiveLines(source: ArchiveSource, { settings }: ArchiveAbout): Generator<ArchiveLine> {
  yield { type: "settings", settings: { ...settings } };
  for (const { tokenHash: _secret, limits, ...client } of source.clients())
    yield { type: "client", ...client, limits: { ...limits } };
  for (let row = 0; ; ) {
    const tasks = source.tasksAfter(row, taskBatch);
    for (const task of tasks) yield* linesOfTask(source, task);
    row = tasks.at(-1)?.row ?? row;
    if (tasks.length < taskBatch) return;
  }
}

function* linesOfTask(source: ArchiveSource, task: Task): Generator<ArchiveLine> {
  const { row: _row, rev: _rev, answers, ...rest } = task;
  const { id } = task;
  yield { type: "task", ...rest, answers: [...answers], idempotency: source.idempotency(id) };
  yield { type: "input", task: id, input: source.input(id) ?? null };
  yield* historyOf(source, id);
  for (const [key, outcome] of source.steps(id)) yield { type: "step", task: id, key, outcome };
  for (const { taskId, to, ...question } of source.questions(id))
    yield { type: "question", task: taskId, ...question, to: [...to] };
}

/** Changes and events in the order of their commits, which a reader cannot tell from their times. */
function* historyOf(source: ArchiveSource, id: string): Generator<LineOf<"change"> | LineOf<"event">> {
  const changes = source.changes(id);
  let [commit, last, next] = [0, Number.NEGATIVE_INFINITY, 0];
  const commitOf = (rev: number) => {
    if (rev > last) commit += 1;
    last = Math.max(last, rev);
    return commit;
  };
  for (const { seq, rev, at, body } of eventsOf(source, id)) {
    for (let change = changes[next]; change !== undefined && change.rev <= rev; change = changes[++next])
      yield changeLine(change, commitOf(change.rev));
    yield { type: "event", task: id, commit: commitOf(rev), seq, at, body };
  }
  for (const change of changes.slice(next)) yield changeLine(change, commitOf(change.rev));
}

function* eventsOf(source: ArchiveSource, id: string) {
  for (let after = -1; ; ) {
    const events = source.events(id, after, eventBatch);
    yield* events;
    after = events.at(-1)?.seq ?? after;
    if (events.length < eventBatch) return;
  }
}

function changeLine({ taskId, from, to, at, attempt, reason }: Change, commit: number): LineOf<"change"> {
  return { type: "change", task: taskId, commit, from, to, at, attempt, reason };
}

function textOf(line: ArchiveLine | Header): string {
  return `${JSON.stringify(line)}\n`;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
