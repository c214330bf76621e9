import { modelSoFar } from "../../shared/event";
import { ProblemError } from "../../shared/problem";
import type { Change, Task } from "../../shared/task";
import type { Clock } from "./clock";
import { type Created, type Draft, newTask } from "./draft";
import type { NewId } from "./ids";
import type { TaskStore } from "./store";
import type { WaitingTasks } from "./waiting";

export interface AdmissionParts {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly waiting: WaitingTasks;
  readonly nextRev: () => number;
  /** Told after the commit, of each new task. */
  readonly created: (task: Task, change: Change) => void;
}

/** New tasks on their way into the ledger. Those that arrive together share one transaction and one sync. */
export class Admissions {
  readonly #parts: AdmissionParts;
  #pending: PendingCreate[] = [];

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** See `Ledger.create`. */
  create(draft: Draft): Promise<Created> {
    return new Promise((resolve, reject) => {
      if (this.#pending.push({ draft, resolve, reject }) === 1) inTwoTurns(() => this.#commit());
    });
  }

  #commit(): void {
    const batch = this.#pending;
    this.#pending = [];
    const counted: string[] = [];
    let admissions: Admission[];
    try {
      const admitAll = () => batch.map(({ draft }) => this.#admit(draft, counted));
      admissions = this.#parts.store.transaction("synced", admitAll);
    } catch (error) {
      for (const client of counted) this.#parts.waiting.change(client, -1);
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const [index, admission] of admissions.entries()) this.#answer(batch[index], admission);
  }

  #answer(pending: PendingCreate | undefined, admission: Admission): void {
    if (admission instanceof ProblemError) pending?.reject(admission);
    else if (admission.change === undefined) pending?.resolve({ task: admission.task, replayed: true });
    else {
      pending?.resolve({ task: admission.task, replayed: false });
      this.#parts.created(admission.task, admission.change);
    }
  }

  /** Decides one create inside the shared transaction; a refusal concerns only its own caller. */
  #admit(draft: Draft, counted: string[]): Admission {
    const { client, idempotency } = draft;
    const earlier = idempotency && this.#parts.store.byIdempotencyKey(client, idempotency.key);
    if (earlier?.fingerprint === idempotency?.fingerprint && earlier) return { task: earlier.task };
    if (earlier)
      return new ProblemError(
        "idempotency_key_reused",
        `The key "${idempotency?.key}" came before with another request; send a new key with a new request.`,
      );
    const refusal = this.#parts.waiting.refusal(client, draft.waitingLimits);
    if (refusal !== undefined) return refusal;
    this.#parts.waiting.change(client, 1);
    counted.push(client);
    return this.#insert(draft);
  }

  #insert(draft: Draft): { task: Task; change: Change } {
    const { store, clock, newId, nextRev } = this.#parts;
    const at = clock.now();
    const rev = nextRev();
    const given = { id: newId("task"), responseId: newId("resp"), at, rev };
    const task = store.insert(newTask(draft, given), draft.input, draft.idempotency);
    const change: Change = { taskId: task.id, from: null, to: "queued", at, attempt: 1, rev, reason: null };
    store.addChange(change);
    store.addEvents([{ taskId: task.id, seq: 0, rev, at, body: { type: "created", ...modelSoFar(task) } }]);
    return { task, change };
  }
}

interface PendingCreate {
  readonly draft: Draft;
  readonly resolve: (created: Created) => void;
  readonly reject: (error: unknown) => void;
}

type Admission = ProblemError | { readonly task: Task; readonly change?: Change };

/** After the requests that are on the wire now have been read: their creates share the commit, and its sync. */
function inTwoTurns(work: () => void): void {
  setImmediate(() => setImmediate(work));
}
