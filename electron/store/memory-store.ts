import type { TaskEvent } from "../../shared/event";
import type { Json } from "../../shared/json";
import { isTerminal, type TaskStatus } from "../../shared/lifecycle";
import type { Change, Task } from "../../shared/task";
import type { ClientRecord, Idempotency, TaskPatch, TaskQuery, TaskStore } from "../engine/store";

interface Kept {
  task: Task;
  readonly input: Json;
  readonly idempotency: Idempotency | null;
  readonly changes: Change[];
  events: TaskEvent[];
  readonly steps: Map<string, Json>;
}

/** The same store without a disk, for tests; it passes the same contract. */
export class MemoryStore implements TaskStore {
  readonly #kept = new Map<string, Kept>();
  readonly #keys = new Map<string, string>();
  readonly #clients = new Map<string, ClientRecord>();
  #row = 0;
  #rev = 0;
  #undo: (() => void)[] | undefined;

  transaction<T>(_durability: "synced" | "written", work: () => T): T {
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

  insert(task: Omit<Task, "row">, input: Json, idempotency: Idempotency | null): Task {
    const key = idempotency && keyOf(task.client, idempotency.key);
    if (this.#kept.has(task.id) || (key !== null && this.#keys.has(key))) throw new Error("The task is there already");
    const stored: Task = { ...copy(task), row: ++this.#row };
    this.#sawRev(stored.rev);
    this.#kept.set(task.id, {
      task: stored,
      input: copy(input),
      idempotency,
      changes: [],
      events: [],
      steps: new Map(),
    });
    if (key !== null) this.#keys.set(key, task.id);
    this.#undoBy(() => {
      this.#kept.delete(task.id);
      if (key !== null) this.#keys.delete(key);
    });
    return stored;
  }

  update(id: string, expected: TaskStatus, patch: TaskPatch): Task | undefined {
    const kept = this.#kept.get(id);
    if (kept?.task.status !== expected) return undefined;
    const before = kept.task;
    kept.task = { ...before, ...copy(patch) };
    this.#sawRev(kept.task.rev);
    this.#undoBy(() => {
      kept.task = before;
    });
    return kept.task;
  }

  addChange(change: Change): void {
    const { changes } = this.#of(change.taskId);
    changes.push(copy(change));
    this.#undoBy(() => changes.pop());
  }

  addEvents(events: readonly TaskEvent[]): void {
    for (const event of events) {
      const list = this.#of(event.taskId).events;
      list.push(copy(event));
      this.#undoBy(() => list.pop());
    }
  }

  dropAttempt(id: string): void {
    this.#replaceEvents(this.#of(id), ({ seq }) => seq === 0);
  }

  expireEvents(endedBefore: number, limit: number): number {
    const ended = [...this.#kept.values()].filter(
      ({ task }) => isTerminal(task.status) && !task.eventsExpired && task.updatedAt <= endedBefore,
    );
    const expiring = ended.slice(0, limit);
    for (const kept of expiring) {
      const before = kept.task;
      kept.task = { ...before, eventsExpired: true };
      this.#undoBy(() => {
        kept.task = before;
      });
      this.#replaceEvents(kept, () => false);
    }
    return expiring.length;
  }

  remove(id: string): boolean {
    const kept = this.#kept.get(id);
    if (kept === undefined) return false;
    const key = kept.idempotency && keyOf(kept.task.client, kept.idempotency.key);
    this.#kept.delete(id);
    if (key !== null) this.#keys.delete(key);
    this.#undoBy(() => {
      this.#kept.set(id, kept);
      if (key !== null) this.#keys.set(key, id);
    });
    return true;
  }

  addStep(id: string, key: string, outcome: Json): void {
    const { steps } = this.#of(id);
    if (steps.has(key)) return;
    steps.set(key, copy(outcome));
    this.#undoBy(() => steps.delete(key));
  }

  task(id: string): Task | undefined {
    return this.#kept.get(id)?.task;
  }

  input(id: string): Json | undefined {
    return copy(this.#kept.get(id)?.input);
  }

  byIdempotencyKey(client: string, key: string): { task: Task; fingerprint: string } | undefined {
    const kept = this.#kept.get(this.#keys.get(keyOf(client, key)) ?? "");
    return kept?.idempotency ? { task: kept.task, fingerprint: kept.idempotency.fingerprint } : undefined;
  }

  tasks({ client, jobs, listed, statuses, beforeRow, limit }: TaskQuery): Task[] {
    const found = this.#all().filter(
      (task) =>
        (client === undefined || task.client === client) &&
        (jobs === undefined || jobs.includes(task.job)) &&
        (listed === undefined || task.listed === listed) &&
        (statuses === undefined || statuses.includes(task.status)) &&
        (beforeRow === undefined || task.row < beforeRow),
    );
    return found.reverse().slice(0, limit);
  }

  unfinished(): Task[] {
    return this.#all().filter(({ status }) => !isTerminal(status));
  }

  expired(before: number, limit: number): Task[] {
    return this.#all()
      .filter(
        ({ status, createdAt, ttl, updatedAt }) =>
          isTerminal(status) && ttl !== null && Math.max(createdAt + ttl, updatedAt) <= before,
      )
      .slice(0, limit);
  }

  changes(id: string): Change[] {
    return [...(this.#kept.get(id)?.changes ?? [])];
  }

  events(id: string, after: number, limit: number): TaskEvent[] {
    return (this.#kept.get(id)?.events ?? []).filter(({ seq }) => seq > after).slice(0, limit);
  }

  steps(id: string): ReadonlyMap<string, Json> {
    return new Map(this.#kept.get(id)?.steps);
  }

  lastUsedModel(models: readonly string[]): string | undefined {
    return this.#all().findLast(({ model }) => model !== null && models.includes(model))?.model ?? undefined;
  }

  lastRev(): number {
    return this.#rev;
  }

  putClient(client: ClientRecord): void {
    const before = this.#clients.get(client.name);
    this.#clients.set(client.name, copy(client));
    this.#undoBy(() => {
      if (before === undefined) this.#clients.delete(client.name);
      else this.#clients.set(client.name, before);
    });
  }

  client(name: string): ClientRecord | undefined {
    return this.#clients.get(name);
  }

  clients(): ClientRecord[] {
    return [...this.#clients.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  touchClient(name: string, at: number): void {
    const client = this.#clients.get(name);
    if (client !== undefined) this.putClient({ ...client, lastSeenAt: at });
  }

  close(): void {
    this.#kept.clear();
  }

  #all(): Task[] {
    return [...this.#kept.values()].map(({ task }) => task);
  }

  #of(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw new Error(`There is no task ${id}`);
    return kept;
  }

  #replaceEvents(kept: Kept, keep: (event: TaskEvent) => boolean): void {
    const before = kept.events;
    kept.events = before.filter(keep);
    this.#undoBy(() => {
      kept.events = before;
    });
  }

  #sawRev(rev: number): void {
    const before = this.#rev;
    this.#rev = Math.max(before, rev);
    this.#undoBy(() => {
      this.#rev = before;
    });
  }

  #undoBy(step: () => unknown): void {
    this.#undo?.push(step);
  }
}

/** What is stored is a value of its own, as it would be on a disk. */
function copy<T>(value: T): T {
  return structuredClone(value);
}

function keyOf(client: string, key: string): string {
  return JSON.stringify([client, key]);
}
