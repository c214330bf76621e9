import { join } from "node:path";
import type { Logger } from "pino";
import type { Settings } from "../shared/settings";
import { type AuditLog, openAuditLog } from "./audit-log";
import type { Audit } from "./engine/audit";
import type { Clock } from "./engine/clock";
import { type HostGauge, hostBounds, openHostGauge } from "./host-use";
import type { Refusal } from "./http/refusal";
import { Monitor } from "./monitor";

export interface AuditTrailOptions {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What the host does for whom, as it is logged and watched. */
export class AuditTrail {
  readonly #log: AuditLog;
  readonly #gauge: HostGauge;
  readonly #monitor: Monitor;
  #waitingTasks = () => 0;
  #openCalls = () => 0;

  constructor({ dataDir, settings, clock, log }: AuditTrailOptions) {
    const file = { maxBytes: settings["logs.max_bytes"], files: settings["logs.files"] };
    this.#log = openAuditLog({ path: join(dataDir, "audit.log"), ...file, clock, log });
    this.#gauge = openHostGauge(dataDir);
    this.#monitor = new Monitor({
      clock,
      log,
      audit: this.#log.write,
      use: () => this.#gauge.read({ openCalls: this.#openCalls(), waitingTasks: this.#waitingTasks() }),
      bounds: hostBounds(settings["limits.queue"]),
    });
    this.#monitor.start();
  }

  readonly note: Audit = (entry) => {
    this.#log.write(entry);
    this.#monitor.see(entry);
  };

  /** A call that was turned away at the door. */
  readonly refused = ({ code, client, method, route, says, origin }: Refusal): void => {
    const from = origin === null ? {} : { origin };
    this.note({ action: "refused", client, says, detail: `${code} at ${method} ${route ?? "no route"}`, ...from });
  };

  /** What is to be watched from now on. */
  watch(counts: { readonly waitingTasks?: () => number; readonly openCalls?: () => number }): void {
    this.#waitingTasks = counts.waitingTasks ?? this.#waitingTasks;
    this.#openCalls = counts.openCalls ?? this.#openCalls;
  }

  close(): void {
    this.#monitor.close();
    this.#gauge.close();
    this.#log.close();
  }
}
