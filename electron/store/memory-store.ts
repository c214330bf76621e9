import type { TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import { isTerminal, type TaskStatus } from "../../shared/lifecycle";
import type { Question } from "../../shared/question";
import type { Change, Task } from "../../shared/task";
import type { ClientRecord, Idempotency, Move, TaskPatch, TaskQuery, TaskStore } from "../engine/store";

/** Tasks that live as long as the process: for tests. Whatever it changes in a transaction leaves how to undo it. */
export class MemoryStore implements TaskStore {
  readonly #records = new Map<string, TaskRecord>();
  readonly #clients = new Map<string, ClientRecord>();
  #lastRow = 0;
  #rev = 0;
  /** Undefined outside of a transaction. */
  #undo: (() => void)[] | undefined;

  transaction<T>(_durability: "synced" | "written", work: () => T): T {
    return this.#atomically(work);
  }

  insert(task: Omit<Task, "row">, input: Json, idempotency: Idempotency | null): Task {
    return this.#write(() => {
      if (idempotency !== null && this.#keyed(task.client, idempotency.key) !== undefined)
        throw new Error("The client has used this idempotency key before");
      if (this.#records.has(task.id)) throw new Error(`The task ${task.id} is not new`);
      this.#countRow();
      const stored: Task = { ...task, row: this.#lastRow };
      const parts = { changes: [], events: [], steps: [], questions: [] };
      this.#setRecord(task.id, { ...copy({ task: stored, input, idempotency }), ...parts });
      this.#noteRev(task.rev);
      return stored;
    });
  }

  update(id: string, expected: TaskStatus, patch: TaskPatch): Task | undefined {
    return this.#write(() => {
      const record = this.#records.get(id);
      if (record?.task.status !== expected) return undefined;
      const task = { ...record.task, ...copy(patch) };
      this.#setRecord(id, { ...record, task });
      this.#noteRev(task.rev);
      return copy(task);
    });
  }

  moveAll(moves: readonly Move[]): void {
    this.#write(() => {
      for (const { task, change, events } of moves) {
        const { status, attempt, updatedAt, outcome, lastSeq, rev } = task;
        const patch = { status, attempt, updatedAt, outcome, lastSeq, rev };
        if (change.from === null || this.update(task.id, change.from, patch) === undefined)
          throw new Error("A task has moved on since it was read");
        this.addChange(change);
        this.addEvents(events);
      }
    });
  }

  addChange(change: Change): void {
    this.#write(() => {
      const record = this.#existing(change.taskId);
      this.#setRecord(change.taskId, { ...record, changes: [...record.changes, copy(change)] });
      this.#noteRev(change.rev);
    });
  }

  addEvents(events: readonly TaskEvent[]): void {
    this.#write(() => {
      for (const event of events) this.#addEvent(copy(event));
    });
  }

  dropAttempt(id: string): void {
    this.#write(() => {
      const record = this.#records.get(id);
      if (record === undefined) return;
      this.#setRecord(id, { ...record, events: record.events.filter(({ seq }) => seq === 0) });
    });
  }

  expireEvents(endedBefore: number, limit: number): number {
    return this.#write(() => {
      const due = this.#tasksWhere((task) => !task.eventsExpired && endOf(task) <= endedBefore);
      const ended = due.sort((a, b) => endOf(a) - endOf(b)).slice(0, limit);
      for (const task of ended)
        this.#setRecord(task.id, { ...this.#existing(task.id), task: { ...task, eventsExpired: true }, events: [] });
      return ended.length;
    });
  }

  remove(id: string): boolean {
    return this.#write(() => {
      const record = this.#records.get(id);
      if (record === undefined) return false;
      this.#records.delete(id);
      this.#undo?.push(() => this.#records.set(id, record));
      return true;
    });
  }

  addStep(id: string, key: string, outcome: Json): void {
    this.#write(() => {
      const record = this.#existing(id);
      if (record.steps.some(([known]) => known === key)) return;
      this.#setRecord(id, { ...record, steps: [...record.steps, [key, copy(outcome)]] });
    });
  }

  addQuestion(question: Question): void {
    this.#write(() => {
      if (this.#asked(question.id) !== undefined) throw new Error(`The question ${question.id} is not new`);
      const record = this.#existing(question.taskId);
      this.#setRecord(question.taskId, { ...record, questions: [...record.questions, copy(question)] });
    });
  }

  answerQuestion(id: string, answered: NonNullable<Question["answered"]>): Question | undefined {
    return this.#write(() => {
      const open = this.#asked(id);
      if (open === undefined || open.answered !== null) return undefined;
      const question: Question = { ...open, answered: copy(answered) };
      const record = this.#existing(open.taskId);
      const questions = record.questions.map((one) => (one === open ? question : one));
      this.#setRecord(open.taskId, { ...record, questions });
      return copy(question);
    });
  }

  task(id: string): Task | undefined {
    return copy(this.#records.get(id)?.task);
  }

  input(id: string): Json | undefined {
    return copy(this.#records.get(id)?.input);
  }

  byIdempotencyKey(client: string, key: string): { task: Task; fingerprint: string } | undefined {
    const found = this.#keyed(client, key);
    return found?.idempotency ? copy({ task: found.task, fingerprint: found.idempotency.fingerprint }) : undefined;
  }

  idempotency(id: string): Idempotency | null {
    return copy(this.#records.get(id)?.idempotency ?? null);
  }

  tasks({ client, jobs, listed, statuses, beforeRow = Number.POSITIVE_INFINITY, limit }: TaskQuery): Task[] {
    const found = this.#tasksWhere(
      (task) =>
        task.row < beforeRow &&
        (client === undefined || task.client === client) &&
        (jobs === undefined || jobs.includes(task.job)) &&
        (listed === undefined || task.listed === listed) &&
        (statuses === undefined || statuses.includes(task.status)),
    );
    return copy(found.reverse().slice(0, limit));
  }

  tasksAfter(row: number, limit: number): Task[] {
    return copy(this.#tasksWhere((task) => task.row > row).slice(0, limit));
  }

  unfinished(): Task[] {
    return copy(this.#tasksWhere((task) => !isTerminal(task.status)));
  }

  expired(before: number, limit: number): Task[] {
    const due = this.#tasksWhere((task) => expiryOf(task) <= before);
    return copy(due.sort((a, b) => expiryOf(a) - expiryOf(b)).slice(0, limit));
  }

  overdue(now: number, limit: number): Task[] {
    const due = this.#tasksWhere((task) => dueAt(task) <= now);
    return copy(due.sort((a, b) => dueAt(a) - dueAt(b)).slice(0, limit));
  }

  nextExpiry(): number | undefined {
    const next = Math.min(...this.#tasksWhere(() => true).map(dueAt));
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  changes(id: string): Change[] {
    return copy([...(this.#records.get(id)?.changes ?? [])]);
  }

  events(id: string, after: number, limit: number): TaskEvent[] {
    const events = this.#records.get(id)?.events ?? [];
    const first = positionAfter(events, after);
    return copy(events.slice(first, first + limit));
  }

  steps(id: string): ReadonlyMap<string, Json> {
    return new Map(copy(this.#records.get(id)?.steps ?? []));
  }

  questions(taskId: string): Question[] {
    return copy([...(this.#records.get(taskId)?.questions ?? [])]);
  }

  lastUsedModel(models: readonly string[]): string | undefined {
    return this.#tasksWhere(({ model }) => model !== null && models.includes(model)).at(-1)?.model ?? undefined;
  }

  lastRev(): number {
    return this.#rev;
  }

  putClient(client: ClientRecord): void {
    this.#write(() => this.#setClient(copy(client)));
  }

  client(name: string): ClientRecord | undefined {
    return copy(this.#clients.get(name));
  }

  clients(): ClientRecord[] {
    return copy([...this.#clients.values()]);
  }

  touchClient(name: string, at: number): void {
    const client = this.#clients.get(name);
    if (client !== undefined) this.putClient({ ...client, lastSeenAt: at });
  }

  close(): void {
    this.#records.clear();
    this.#clients.clear();
  }

  #atomically<T>(work: () => T): T {
    if (this.#undo !== undefined) throw new Error("Transactions do not nest");
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      return work();
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  /** What is written outside of a transaction is one of its own. */
  #write<T>(work: () => T): T {
    return this.#undo === undefined ? this.#atomically(work) : work();
  }

  #setRecord(id: string, record: TaskRecord): void {
    const before = this.#records.get(id);
    this.#records.set(id, record);
    this.#undo?.push(() => (before === undefined ? this.#records.delete(id) : this.#records.set(id, before)));
  }

  #setClient(client: ClientRecord): void {
    const before = this.#clients.get(client.name);
    this.#clients.set(client.name, client);
    this.#undo?.push(() => {
      if (before === undefined) this.#clients.delete(client.name);
      else this.#clients.set(client.name, before);
    });
  }

  #addEvent(event: TaskEvent): void {
    const { events } = this.#existing(event.taskId);
    const place = positionAfter(events, event.seq - 1);
    if (events[place]?.seq === event.seq) throw new Error(`The event ${event.seq} of ${event.taskId} exists`);
    events.splice(place, 0, event);
    this.#undo?.push(() => events.splice(place, 1));
    this.#noteRev(event.rev);
  }

  #countRow(): void {
    this.#lastRow += 1;
    this.#undo?.push(() => {
      this.#lastRow -= 1;
    });
  }

  #noteRev(rev: number): void {
    const before = this.#rev;
    this.#rev = Math.max(before, rev);
    this.#undo?.push(() => {
      this.#rev = before;
    });
  }

  #existing(id: string): TaskRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new Error(`There is no task ${id}`);
    return record;
  }

  #keyed(client: string, key: string): TaskRecord | undefined {
    return [...this.#records.values()].find(
      ({ task, idempotency }) => task.client === client && idempotency?.key === key,
    );
  }

  #asked(id: string): Question | undefined {
    return [...this.#records.values()].flatMap(({ questions }) => questions).find((question) => question.id === id);
  }

  /** Oldest first. */
  #tasksWhere(isMeant: (task: Task) => boolean): Task[] {
    const tasks = [...this.#records.values()].map(({ task }) => task).filter(isMeant);
    return tasks.sort((a, b) => a.row - b.row);
  }
}

/** Replaced, never changed, so that the record from before is all that undoing needs; only events are added in place. */
interface TaskRecord {
  readonly task: Task;
  readonly input: Json;
  readonly idempotency: Idempotency | null;
  readonly changes: readonly Change[];
  readonly events: TaskEvent[];
  readonly steps: readonly (readonly [string, Json])[];
  readonly questions: readonly Question[];
}

/** What a store on a disk would give back: nothing that the caller still holds. */
function copy<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

/** In milliseconds; never for one that has not ended. */
function endOf({ status, updatedAt }: Task): number {
  return isTerminal(status) ? updatedAt : Number.POSITIVE_INFINITY;
}

function expiryOf(task: Task): number {
  return task.ttl === null ? Number.POSITIVE_INFINITY : Math.max(endOf(task), task.createdAt + task.ttl);
}

/** When the task is to be cancelled, while that can still be done. */
function dueAt({ status, createdAt, ttl }: Task): number {
  return ttl === null || status === "cancelling" || isTerminal(status) ? Number.POSITIVE_INFINITY : createdAt + ttl;
}

/** The index of the first event with a greater `seq`; found by halving, as streams grow long. */
function positionAfter(events: readonly TaskEvent[], seq: number): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.seq ?? 0) > seq) high = middle;
    else low = middle + 1;
  }
  return low;
}
