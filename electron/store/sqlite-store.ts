import type { TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import type { TaskStatus } from "../../shared/lifecycle";
import type { Question } from "../../shared/question";
import type { Change, Task } from "../../shared/task";
import type { ClientRecord, Idempotency, Move, TaskPatch, TaskQuery, TaskStore } from "../engine/store";
import type { Connection, Durability } from "./connection";
import { insertQuestion, type QuestionRow, questionColumns, questionOf, questionValues } from "./question-row";
import { RowBuffer } from "./row-buffer";
import {
  type ChangeRow,
  type ClientRow,
  changeOf,
  changeValues,
  clientOf,
  clientValues,
  type EventRow,
  eventOf,
  eventValues,
} from "./rows";
import { listing } from "./task-listing";
import {
  insertTask,
  moveTasks,
  moveValues,
  patchValues,
  type TaskRow,
  taskColumns,
  taskOf,
  taskValues,
} from "./task-row";
import { packText, unpackText } from "./text";

/** One statement for all would keep all of their JSON in memory at once. */
const movesTogether = 1_000;

/** Tasks in a SQLite file. Owns the database: closing the store closes it. */
export class SqliteStore implements TaskStore {
  readonly #database: Connection;
  readonly #rows: RowBuffer;
  /** The highest so far; undefined until it is first asked for. */
  #rev: number | undefined;

  constructor(database: Connection) {
    this.#database = database;
    this.#rows = new RowBuffer(database);
  }

  transaction<T>(durability: Durability, work: () => T): T {
    const before = this.lastRev();
    try {
      return this.#database.transaction(durability, () => {
        const result = work();
        this.#rows.flush();
        this.#rows.forget();
        const rev = this.lastRev();
        if (rev > before) this.#database.run("UPDATE counters SET value = ? WHERE name = 'rev'", rev);
        return result;
      });
    } catch (error) {
      this.#rows.forget();
      this.#rev = before;
      throw error;
    }
  }

  insert(task: Omit<Task, "row">, input: Json, idempotency: Idempotency | null): Task {
    return this.#write(() => {
      if (idempotency !== null && this.byIdempotencyKey(task.client, idempotency.key) !== undefined)
        throw new Error("The client has used this idempotency key before");
      const { lastRow } = this.#database.run(insertTask, ...taskValues(task));
      this.#noteRev(task.rev);
      this.#rows.expect(task.id);
      this.#rows.add("inputs", task.id, [packText(task.id), JSON.stringify(input)]);
      if (idempotency !== null) this.#keep(idempotency, task);
      return { ...task, row: lastRow };
    });
  }

  update(id: string, expected: TaskStatus, patch: TaskPatch): Task | undefined {
    const { assignments, values } = patchValues(patch);
    const key = [packText(id), expected];
    const sql =
      values.length === 0
        ? `SELECT ${taskColumns} FROM tasks WHERE id = ? AND status = ?`
        : `UPDATE tasks SET ${assignments} WHERE id = ? AND status = ? RETURNING ${taskColumns}`;
    return this.#write(() => {
      const row = this.#database.get<TaskRow>(sql, ...values, ...key);
      if (row === undefined) return undefined;
      this.#noteRev(row.rev);
      return taskOf(row);
    });
  }

  moveAll(moves: readonly Move[]): void {
    this.#write(() => {
      for (let from = 0; from < moves.length; from += movesTogether) {
        const some = moves.slice(from, from + movesTogether);
        const { changes } = this.#flushed.run(moveTasks, JSON.stringify(some.map(moveValues)));
        if (changes !== some.length) throw new Error("A task has moved on since it was read");
        for (const { task, change, events } of some) {
          this.#rows.wait("changes", changeValues(change));
          for (const event of events) this.#rows.wait("events", eventValues(event));
          this.#noteRev(task.rev);
        }
        this.#rows.flush();
      }
    });
  }

  addChange(change: Change): void {
    this.#write(() => {
      this.#rows.add("changes", change.taskId, changeValues(change));
      this.#noteRev(change.rev);
    });
  }

  addEvents(events: readonly TaskEvent[]): void {
    if (events.length === 0) return;
    this.#write(() => {
      for (const event of events) {
        this.#rows.add("events", event.taskId, eventValues(event));
        this.#noteRev(event.rev);
      }
    });
  }

  dropAttempt(id: string): void {
    this.#write(() => this.#flushed.run("DELETE FROM events WHERE task = ? AND seq > 0", packText(id)));
  }

  expireEvents(endedBefore: number, limit: number): number {
    return this.#write(() => {
      const ended = this.#flushed.all<{ id: string }>(
        `SELECT id FROM tasks INDEXED BY tasks_with_events
         WHERE ended_at IS NOT NULL AND events_expired = 0 AND ended_at <= ? ORDER BY ended_at, row LIMIT ?`,
        endedBefore,
        limit,
      );
      for (const { id } of ended) {
        this.#flushed.run("DELETE FROM events WHERE task = ?", id);
        this.#flushed.run("UPDATE tasks SET events_expired = 1 WHERE id = ?", id);
      }
      return ended.length;
    });
  }

  remove(id: string): boolean {
    return this.#write(() => this.#flushed.run("DELETE FROM tasks WHERE id = ?", packText(id)).changes > 0);
  }

  addStep(id: string, key: string, outcome: Json): void {
    this.#write(() =>
      this.#database.run(
        "INSERT INTO steps (task, key, outcome) VALUES (?, ?, ?) ON CONFLICT (task, key) DO NOTHING",
        packText(id),
        packText(key),
        JSON.stringify(outcome),
      ),
    );
  }

  addQuestion(question: Question): void {
    this.#write(() => this.#database.run(insertQuestion, ...questionValues(question)));
  }

  answerQuestion(id: string, answered: NonNullable<Question["answered"]>): Question | undefined {
    return this.#write(() => {
      const row = this.#database.get<QuestionRow>(
        `UPDATE questions SET answered = ? WHERE id = ? AND answered IS NULL RETURNING ${questionColumns}`,
        JSON.stringify(answered),
        packText(id),
      );
      return row && questionOf(row);
    });
  }

  task(id: string): Task | undefined {
    const row = this.#database.get<TaskRow>(`SELECT ${taskColumns} FROM tasks WHERE id = ?`, packText(id));
    return row && taskOf(row);
  }

  input(id: string): Json | undefined {
    const row = this.#flushed.get<{ input: string }>("SELECT input FROM inputs WHERE task = ?", packText(id));
    return row && JSON.parse(row.input);
  }

  byIdempotencyKey(client: string, key: string): { task: Task; fingerprint: string } | undefined {
    const kept = this.#database.get<{ task: string; fingerprint: string }>(
      "SELECT task, fingerprint FROM idempotency WHERE client = ? AND key = ?",
      packText(client),
      packText(key),
    );
    const task = kept && this.task(unpackText(kept.task));
    return task && { task, fingerprint: unpackText(kept.fingerprint) };
  }

  idempotency(id: string): Idempotency | null {
    const sql = "SELECT key, fingerprint FROM idempotency WHERE task = ?";
    const kept = this.#database.get<Idempotency>(sql, packText(id));
    return kept === undefined ? null : { key: unpackText(kept.key), fingerprint: unpackText(kept.fingerprint) };
  }

  tasks(query: TaskQuery): Task[] {
    const asked = listing(query);
    if (asked === undefined) return [];
    return this.#database.all<TaskRow>(asked.sql, ...asked.values).map(taskOf);
  }

  tasksAfter(row: number, limit: number): Task[] {
    const sql = `SELECT ${taskColumns} FROM tasks WHERE row > ? ORDER BY row LIMIT ?`;
    return this.#database.all<TaskRow>(sql, row, limit).map(taskOf);
  }

  unfinished(): Task[] {
    const sql = `SELECT ${taskColumns} FROM tasks INDEXED BY tasks_unfinished WHERE ended_at IS NULL ORDER BY row`;
    return this.#database.all<TaskRow>(sql).map(taskOf);
  }

  expired(before: number, limit: number): Task[] {
    const sql = `SELECT ${taskColumns} FROM tasks INDEXED BY tasks_expiring
      WHERE expires_at IS NOT NULL AND expires_at <= ? ORDER BY expires_at, row LIMIT ?`;
    return this.#database.all<TaskRow>(sql, before, limit).map(taskOf);
  }

  overdue(now: number, limit: number): Task[] {
    const sql = `SELECT ${taskColumns} FROM tasks INDEXED BY tasks_due
      WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, row LIMIT ?`;
    return this.#database.all<TaskRow>(sql, now, limit).map(taskOf);
  }

  nextExpiry(): number | undefined {
    const sql = "SELECT due_at FROM tasks INDEXED BY tasks_due WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1";
    return this.#database.get<{ due_at: number }>(sql)?.due_at;
  }

  changes(id: string): Change[] {
    const rows = this.#flushed.all<ChangeRow>(
      "SELECT from_status, to_status, at, attempt, rev, reason FROM changes WHERE task = ? ORDER BY row",
      packText(id),
    );
    return rows.map((row) => changeOf(id, row));
  }

  events(id: string, after: number, limit: number): TaskEvent[] {
    const rows = this.#flushed.all<EventRow>(
      "SELECT seq, rev, at, body FROM events WHERE task = ? AND seq > ? ORDER BY seq LIMIT ?",
      packText(id),
      after,
      limit,
    );
    return rows.map((row) => eventOf(id, row));
  }

  steps(id: string): ReadonlyMap<string, Json> {
    const rows = this.#database.all<{ key: string; outcome: string }>(
      "SELECT key, outcome FROM steps WHERE task = ? ORDER BY row",
      packText(id),
    );
    return new Map(rows.map(({ key, outcome }) => [unpackText(key), JSON.parse(outcome)]));
  }

  questions(taskId: string): Question[] {
    const sql = `SELECT ${questionColumns} FROM questions WHERE task = ? ORDER BY row`;
    return this.#database.all<QuestionRow>(sql, packText(taskId)).map(questionOf);
  }

  lastUsedModel(models: readonly string[]): string | undefined {
    const newest = models.map((model) => ({ model, row: this.#lastUse(model) }));
    return newest.reduce((last, use) => (use.row > last.row ? use : last), { model: undefined, row: 0 } as ModelUse)
      .model;
  }

  lastRev(): number {
    this.#rev ??= this.#database.get<{ value: number }>("SELECT value FROM counters WHERE name = 'rev'")?.value ?? 0;
    return this.#rev;
  }

  putClient(client: ClientRecord): void {
    this.#write(() =>
      this.#database.run(
        `INSERT INTO clients (name, token_hash, limits, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, limits = excluded.limits,
           created_at = excluded.created_at, last_seen_at = excluded.last_seen_at`,
        ...clientValues(client),
      ),
    );
  }

  client(name: string): ClientRecord | undefined {
    const row = this.#database.get<ClientRow>("SELECT * FROM clients WHERE name = ?", packText(name));
    return row && clientOf(row);
  }

  clients(): ClientRecord[] {
    return this.#database.all<ClientRow>("SELECT * FROM clients ORDER BY row").map(clientOf);
  }

  touchClient(name: string, at: number): void {
    this.#write(() => this.#database.run("UPDATE clients SET last_seen_at = ? WHERE name = ?", at, packText(name)));
  }

  close(): void {
    this.#database.close();
  }

  /** For whoever reads or changes what may still wait to be written. */
  get #flushed(): Connection {
    this.#rows.flush();
    return this.#database;
  }

  /** What is written outside of a transaction is one of its own. */
  #write<T>(work: () => T): T {
    return this.#database.inTransaction ? work() : this.transaction("written", work);
  }

  #keep({ key, fingerprint }: Idempotency, { client, id }: Pick<Task, "client" | "id">): void {
    this.#database.run(
      "INSERT INTO idempotency (client, key, fingerprint, task) VALUES (?, ?, ?, ?)",
      ...[client, key, fingerprint, id].map(packText),
    );
  }

  #noteRev(rev: number): void {
    this.#rev = Math.max(this.lastRev(), rev);
  }

  #lastUse(model: string): number {
    const sql = "SELECT max(row) AS row FROM tasks INDEXED BY tasks_by_model WHERE model = ?";
    return this.#database.get<{ row: number | null }>(sql, packText(model))?.row ?? 0;
  }
}

interface ModelUse {
  readonly model: string | undefined;
  readonly row: number;
}
