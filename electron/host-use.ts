import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { HostBounds, HostUse } from "./monitor";

/** A look at the process and its disk: what has gathered since the look before. */
export interface HostGauge {
  read(counts: Pick<HostUse, "openCalls" | "waitingTasks">): Promise<HostUse>;
  close(): void;
}

export function openHostGauge(dataDir: string): HostGauge {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  return {
    async read(counts) {
      // Nanoseconds; NaN when the loop has not turned.
      const loopDelay = (delays.percentile(99) || 0) / 1e6;
      delays.reset();
      return { ...counts, loopDelay, memoryBytes: process.memoryUsage.rss(), freeBytes: await freeBytes(dataDir) };
    },
    close: () => void delays.disable(),
  };
}

/** Models run in a process of their own: this one needs little. */
export function hostBounds(queue: number): HostBounds {
  return {
    openCalls: 1_000,
    waitingTasks: Math.ceil(queue * 0.9),
    loopDelay: 500,
    memoryBytes: 1.5 * 2 ** 30,
    freeBytes: 2 ** 29,
  };
}

async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null; // some file systems do not tell
  }
}
