import { isTerminal } from "../../../../shared/lifecycle";
import type { Task } from "../../../../shared/task";
import type { Fact } from "../../../engine/fact";
import type { FaceParts } from "../face-parts";
import { type LegacyTask, legacyTask } from "../projection/task-object";
import { viewOf } from "../projection/task-view";
import type { Outlet } from "./open-session";
import { Throttle } from "./throttle";

/** Milliseconds between two notifications about one task whose words alone change. */
const interval = 500;

type NoticeParts = Pick<FaceParts, "service" | "clock">;

/** Tells the reader of a GET stream of every change to its tasks that it can see, until it leaves. */
export function tellStatuses(parts: NoticeParts, outlet: Outlet): void {
  if (outlet.closed.aborted) return;
  const notices = new StatusNotices(parts, outlet);
  const unsubscribe = parts.service.subscribe(outlet.session.caller, (fact) => notices.hear(fact));
  outlet.closed.addEventListener("abort", () => {
    unsubscribe();
    notices.close();
  });
}

interface Watched {
  readonly throttle: Throttle;
  /** What its reader knows; undefined before anything was told. */
  shown: LegacyTask | undefined;
  isQueued: boolean;
}

/** `notifications/tasks/status`: a status at once, other words at most twice a second, the last ones always. */
class StatusNotices {
  readonly #parts: NoticeParts;
  readonly #outlet: Outlet;
  /** Null for a plain call's, which is nobody's to see. */
  readonly #tasks = new Map<string, Watched | null>();

  constructor(parts: NoticeParts, outlet: Outlet) {
    this.#parts = parts;
    this.#outlet = outlet;
  }

  hear(fact: Fact): void {
    if (fact.kind === "removed") {
      this.#forget(fact.taskId);
      return;
    }
    const watched = this.#watched(fact);
    if (fact.kind === "moved" && fact.change.from === "queued") this.#queueMoved();
    if (watched === null) return;
    if ("task" in fact) this.#changed(fact.task, watched);
    else watched.throttle.soon();
  }

  close(): void {
    for (const id of [...this.#tasks.keys()]) this.#forget(id);
  }

  #changed(task: Task, watched: Watched): void {
    watched.isQueued = task.status === "queued";
    if (this.#show(task).status !== watched.shown?.status) watched.throttle.now();
    else if (isTerminal(task.status)) this.#forget(task.id);
    else watched.throttle.soon();
  }

  /** The others have another place now. */
  #queueMoved(): void {
    for (const watched of this.#tasks.values()) if (watched?.isQueued) watched.throttle.soon();
  }

  #watched(fact: Fact): Watched | null {
    const known = this.#tasks.get(fact.taskId);
    if (known !== undefined) return known;
    const { service, clock } = this.#parts;
    const task = "task" in fact ? fact.task : service.current(this.#outlet.session.caller, {}, fact.taskId);
    // Its last words came with its end.
    if (!("task" in fact) && isTerminal(task.status)) return null;
    const throttle = new Throttle(clock, interval, () => this.#tell(task.id));
    // Who made it has it from the answer.
    const shown = fact.kind === "moved" && fact.change.from === null ? this.#show(task) : undefined;
    const watched = task.listed ? { throttle, shown, isQueued: task.status === "queued" } : null;
    if (watched !== null || !isTerminal(task.status)) this.#tasks.set(task.id, watched);
    return watched;
  }

  #forget(id: string): void {
    this.#tasks.get(id)?.throttle.close();
    this.#tasks.delete(id);
  }

  #tell(id: string): void {
    const watched = this.#tasks.get(id);
    if (!watched) return;
    if (this.#outlet.isSlow()) {
      watched.throttle.soon();
      return;
    }
    const task = this.#parts.service.current(this.#outlet.session.caller, {}, id);
    const now = this.#show(task);
    if (now.status !== watched.shown?.status || now.statusMessage !== watched.shown.statusMessage)
      this.#outlet.tell({ method: "notifications/tasks/status", params: { ...now } });
    watched.shown = now;
    if (isTerminal(task.status)) this.#forget(id);
  }

  #show(task: Task): LegacyTask {
    const { session } = this.#outlet;
    return legacyTask(viewOf(this.#parts.service, session.caller, task, session.answers, this.#parts.clock.now()));
  }
}
