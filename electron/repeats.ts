import type { AuditEntry } from "./engine/audit";
import type { Clock } from "./engine/clock";

const minute = 60_000;
/** More kinds than this within a minute are summed up before it is over. */
const mostKinds = 10_000;

/** Entries of one kind that came after the first one within a minute. */
export interface Repeated {
  readonly entry: AuditEntry;
  /** How many more; the first one was told by itself. */
  readonly more: number;
}

/** What can come as often as somebody likes to ask. Everything else changes something, and is told each time. */
const repeatable: ReadonlySet<AuditEntry["action"]> = new Set<AuditEntry["action"]>(["read", "retrieved", "refused"]);

/**
 * Keeps readings and refusals from flooding a log: of each kind (who, what, which task) the first is told at once, those
 * that follow within a minute are counted and told together. Of refusals, which task was named makes no kind of its own.
 */
export class Repeats {
  readonly #clock: Clock;
  readonly #tell: (repeated: Repeated) => void;
  readonly #kinds = new Map<string, { readonly entry: AuditEntry; more: number }>();
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, tell: (repeated: Repeated) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Whether the entry is to be told by itself; otherwise it is counted. */
  isNew(entry: AuditEntry): boolean {
    if (!repeatable.has(entry.action)) return true;
    const key = kindOf(entry);
    const known = this.#kinds.get(key);
    if (known !== undefined) {
      known.more += 1;
      return false;
    }
    if (this.#kinds.size >= mostKinds) this.flush();
    this.#kinds.set(key, { entry, more: 0 });
    this.#cancelTimer ??= this.#clock.after(minute, () => this.flush());
    return true;
  }

  /** Tells what was counted, and counts anew. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const counted = [...this.#kinds.values()].filter(({ more }) => more > 0);
    this.#kinds.clear();
    for (const repeated of counted) this.#tell(repeated);
  }
}

function kindOf({ action, client, taskId, status, detail }: AuditEntry): string {
  return JSON.stringify([action, client, action === "refused" ? null : taskId, status, detail]);
}
