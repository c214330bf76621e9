import type { OpenSession, Outlet } from "./open-session";

/** The streams of one client that can carry something now: those that wait for a task, and the GET streams. */
export class Streams {
  readonly #sessions = new Map<string, OpenSession>();
  /** By task, oldest first. */
  readonly #waiting = new Map<string, Set<Outlet>>();
  readonly #listeners = new Set<() => void>();

  add(session: OpenSession): void {
    this.#sessions.set(session.id, session);
  }

  /** Returns how many are left. */
  remove(session: OpenSession): number {
    this.#sessions.delete(session.id);
    this.changed();
    return this.#sessions.size;
  }

  /** A call waits for the task on this stream, until the result is called. */
  attach(taskId: string, outlet: Outlet): () => void {
    const outlets = this.#waiting.get(taskId) ?? new Set();
    this.#waiting.set(taskId, outlets.add(outlet));
    this.changed();
    return () => {
      outlets.delete(outlet);
      if (outlets.size === 0) this.#waiting.delete(taskId);
    };
  }

  /** The first stream that waits for the task and is wanted. */
  waitingFor(taskId: string, wanted: (outlet: Outlet) => boolean = () => true): Outlet | undefined {
    return [...(this.#waiting.get(taskId) ?? [])].find((outlet) => !outlet.closed.aborted && wanted(outlet));
  }

  /** The first GET stream that is wanted. */
  standalone(wanted: (outlet: Outlet) => boolean): Outlet | undefined {
    return this.sessions.flatMap(({ standalone }) => standalone ?? []).find(wanted);
  }

  get sessions(): readonly OpenSession[] {
    return [...this.#sessions.values()];
  }

  /** Tells those who wait for a stream that there may be one. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Hears when there may be a stream that was not there before, or a session less; the result ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
