import type { Logger } from "pino";
import type { Audit, AuditEntry } from "./engine/audit";
import type { Clock } from "./engine/clock";
import { FloodWatch } from "./flood-watch";

/** What the host uses at a moment, and since the moment before. */
export interface HostUse {
  /** Calls that last: event streams, and answers that wait for a task. */
  readonly openCalls: number;
  readonly waitingTasks: number;
  /** Milliseconds by which the event loop was late, at least, in one of a hundred of its turns. */
  readonly loopDelay: number;
  readonly memoryBytes: number;
  /** Of the disk that holds the data; null when the system does not tell. */
  readonly freeBytes: number | null;
}

/** From where on a person should look. */
export interface HostBounds {
  readonly openCalls: number;
  readonly waitingTasks: number;
  readonly loopDelay: number;
  readonly memoryBytes: number;
  readonly freeBytes: number;
}

export interface MonitorParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: Audit;
  readonly use: () => HostUse | Promise<HostUse>;
  readonly bounds: HostBounds;
}

const lookEvery = 10_000;
/** Of one kind and client, a warning says all there is to say for this long. */
const quiet = 60_000;

interface Warning {
  readonly kind: string;
  readonly text: string;
  readonly client: string | null;
  readonly taskId?: string;
  /** The figures, for the log. */
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Looks at what is going on and warns, in the log and in the audit log, at most once a minute of each kind and client. It
 * steers nothing: limits are kept elsewhere. It looks at the host's use from `start` until `close`.
 */
export class Monitor {
  readonly #parts: MonitorParts;
  readonly #floods = new FloodWatch();
  readonly #warnedAt = new Map<string, number>();
  #cancelTimer: (() => void) | undefined;
  #closed = false;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
  }

  see(entry: AuditEntry): void {
    for (const { count, ...flood } of this.#floods.see(entry, this.#parts.clock.now()))
      this.#warn({ ...flood, figures: { count } });
  }

  start(): void {
    if (!this.#closed) this.#cancelTimer = this.#parts.clock.after(lookEvery, () => void this.#look());
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
  }

  async #look(): Promise<void> {
    const { clock, log, use, bounds } = this.#parts;
    const now = clock.now();
    this.#floods.forget(now);
    for (const [key, at] of this.#warnedAt) if (now - at >= quiet) this.#warnedAt.delete(key);
    try {
      for (const warning of overuse(await use(), bounds)) this.#warn(warning);
    } catch (error) {
      log.error({ err: error }, "the monitor could not look at the host");
    }
    this.start();
  }

  #warn({ kind, text, client, taskId, figures }: Warning): void {
    const { clock, log, audit } = this.#parts;
    const key = JSON.stringify([kind, client]);
    const before = this.#warnedAt.get(key);
    if (before !== undefined && clock.now() - before < quiet) return;
    this.#warnedAt.set(key, clock.now());
    const task = taskId === undefined ? {} : { taskId };
    log.warn({ kind, ...(client === null ? {} : { client }), ...task, ...figures }, text);
    audit({ action: "warned", client, ...task, detail: kind });
  }
}

function overuse(use: HostUse, bounds: HostBounds): Warning[] {
  const over = (kind: keyof HostBounds, text: string, is: boolean) =>
    is ? [{ kind, text, client: null, figures: { [kind]: use[kind] ?? 0, bound: bounds[kind] } }] : [];
  return [
    ...over("openCalls", "very many calls are open at once", use.openCalls > bounds.openCalls),
    ...over("waitingTasks", "the queue is nearly full", use.waitingTasks > bounds.waitingTasks),
    ...over("loopDelay", "the host is slow to answer", use.loopDelay > bounds.loopDelay),
    ...over("memoryBytes", "the host uses very much memory", use.memoryBytes > bounds.memoryBytes),
    ...over("freeBytes", "the disk is nearly full", use.freeBytes !== null && use.freeBytes < bounds.freeBytes),
  ];
}
