import type { Logger } from "pino";
import type { Audit, AuditEntry } from "./engine/audit";
import type { Clock } from "./engine/clock";
import { Repeats } from "./repeats";
import { RotatingFile } from "./rotating-file";

export interface AuditLog {
  readonly write: Audit;
  close(): void;
}

export interface AuditLogOptions {
  readonly path: string;
  readonly maxBytes: number;
  readonly files: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Who did what to which task or token, and when: one JSON object a line, in files that only their owner may read. Never
 * what was asked or written. A disk that is full must not stop the work: it is said once, and said when it is over.
 */
export function openAuditLog({ clock, log, ...options }: AuditLogOptions): AuditLog {
  const file = new RotatingFile({
    ...options,
    onTrouble: (error) => log.error({ err: error }, "the audit log cannot be written; its entries wait"),
    onRecovery: (lost) => log.warn({ lost }, "the audit log is written again"),
  });
  const tell = (entry: AuditEntry, more: { readonly more?: number }) =>
    file.write(`${JSON.stringify({ at: new Date(clock.now()).toISOString(), ...lineOf(entry), ...more })}\n`);
  const repeats = new Repeats(clock, ({ entry, more }) => tell(entry, { more }));
  return {
    write: (entry) => {
      if (repeats.isNew(entry)) tell(entry, {});
    },
    close: () => {
      repeats.flush();
      file.close();
    },
  };
}

/** What a caller says of itself is marked as what it is. */
function lineOf({ says, ...entry }: AuditEntry): Readonly<Record<string, unknown>> {
  return says === undefined || says === null ? entry : { ...entry, unverified: says };
}
