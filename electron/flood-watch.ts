import type { AuditEntry } from "./engine/audit";

/** A kind of entry that is nothing by itself, and a reason to look when there are many. */
interface Flood {
  readonly kind: "unknown_ids" | "refused_tokens" | "refused_pages" | "over_polling";
  readonly text: string;
  /** So many `within` so many milliseconds. */
  readonly many: number;
  readonly within: number;
  is(entry: AuditEntry): boolean;
}

/**
 * The bounds lie far above what a client does that works as it should. One that polls is told to wait 500 ms or more, so
 * ten readings of one task a second are five times what it was told.
 */
const floods: readonly Flood[] = [
  {
    kind: "unknown_ids",
    text: "a client keeps asking for tasks that it has not",
    many: 100,
    within: 60_000,
    is: ({ action, detail }) => action === "refused" && detail === "task_not_found",
  },
  {
    kind: "refused_tokens",
    text: "somebody keeps calling without a valid token",
    many: 20,
    within: 60_000,
    is: ({ action, detail }) => action === "refused" && detail?.startsWith("unauthorized") === true,
  },
  {
    kind: "refused_pages",
    text: "web pages of other origins keep calling",
    many: 20,
    within: 60_000,
    is: ({ action, detail }) => action === "refused" && detail?.startsWith("forbidden") === true,
  },
  {
    kind: "over_polling",
    text: "a client reads an unfinished task much more often than it changes",
    many: 100,
    within: 10_000,
    is: ({ action, detail, status }) => action === "read" && detail === "get" && unfinished.has(status),
  },
];

const unfinished: ReadonlySet<AuditEntry["status"]> = new Set<AuditEntry["status"]>([
  "queued",
  "loading",
  "running",
  "input_required",
  "cancelling",
]);

export interface SeenFlood {
  readonly kind: Flood["kind"];
  readonly text: string;
  readonly client: string | null;
  readonly taskId?: string;
  readonly count: number;
}

/** Counts entries of each kind, of each client; of readings, of each task. Each count begins anew when its time is over. */
export class FloodWatch {
  readonly #counts = new Map<string, { readonly until: number; count: number }>();

  /** What the entry, at `now` (milliseconds), makes too many of. */
  see(entry: AuditEntry, now: number): readonly SeenFlood[] {
    return floods.filter((flood) => flood.is(entry)).flatMap((flood) => this.#count(flood, entry, now));
  }

  /** Forgets the counts whose time is over. */
  forget(now: number): void {
    for (const [key, { until }] of this.#counts) if (until <= now) this.#counts.delete(key);
  }

  #count({ kind, text, many, within }: Flood, { client, taskId }: AuditEntry, now: number): readonly SeenFlood[] {
    const task = kind === "over_polling" && taskId !== undefined ? { taskId } : {};
    const key = JSON.stringify([kind, client, task.taskId]);
    const known = this.#counts.get(key);
    const current = known !== undefined && now < known.until ? known : { until: now + within, count: 0 };
    this.#counts.set(key, current);
    current.count += 1;
    return current.count < many ? [] : [{ kind, text, client, ...task, count: current.count }];
  }
}
