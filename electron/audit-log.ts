import { type Logger, pino } from "pino";
import type { Audit } from "./engine/audit";
import type { Clock } from "./engine/clock";

export interface AuditLog {
  readonly write: Audit;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

/** So many refused look-ups of one client within a minute look like guessing, or like a client gone wrong. */
const manyRefusals = 100;
const minute = 60_000;

/**
 * Who did what to which task, and when: one JSON object a line, appended to a file that only its owner may read. Never
 * what was asked or written. Warns when a client keeps asking for tasks that are not its own.
 */
export function openAuditLog(path: string, clock: Clock, log: Logger): AuditLog {
  const destination = pino.destination({ dest: path, append: true, sync: false, mode: 0o600 });
  // A disk that is full must not stop the work; the tasks themselves are stored elsewhere.
  destination.on("error", (error: unknown) => log.error({ err: error }, "the audit log cannot be written"));
  const refusals = new Map<string, { since: number; count: number }>();
  return {
    write(entry) {
      const now = clock.now();
      destination.write(`${JSON.stringify({ at: new Date(now).toISOString(), ...entry })}\n`);
      if (entry.action !== "refused") return;
      const known = refusals.get(entry.client);
      const current = known !== undefined && now - known.since < minute ? known : { since: now, count: 0 };
      refusals.set(entry.client, current);
      current.count += 1;
      if (current.count === manyRefusals)
        log.warn({ client: entry.client }, `a client asked ${manyRefusals} times within a minute for what it has not`);
    },
    close: () =>
      new Promise((resolve) => {
        destination.once("close", resolve);
        destination.end();
      }),
  };
}
