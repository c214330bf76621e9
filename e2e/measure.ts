import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

/** What a process uses, as the system sees it. Sizes in bytes. */
export interface Usage {
  readonly rss: number;
  readonly threads: number;
  /** Open file descriptors. */
  readonly descriptors: number;
}

const inner = z.object({
  heapUsed: z.number(),
  external: z.number(),
  arrayBuffers: z.number(),
  /** Milliseconds that the event loop was late since the measure before. */
  loopDelay: z.object({ p99: z.number(), max: z.number() }),
  /** What keeps the event loop alive, one name each. */
  resources: z.array(z.string()),
});

/** What a probed host uses. Sizes in bytes. */
export interface Measure extends Usage, Omit<z.output<typeof inner>, "resources"> {
  /** Open TCP connections. */
  readonly connections: number;
  /** Timers that wait. */
  readonly timers: number;
}

export function measureOf(pid: number, answer: unknown): Measure {
  const { resources, ...rest } = inner.parse(answer);
  const count = (name: string) => resources.filter((one) => one === name).length;
  return { ...usageOf(pid), ...rest, connections: count("TCPSocketWrap"), timers: count("Timeout") };
}

/** From /proc. */
export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return {
    rss: field("VmRSS") * 1_024,
    threads: field("Threads"),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}
