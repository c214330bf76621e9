import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a host and its inference process use at one moment, and how fast it answered since the moment before. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number;
  /** Tasks made since then. */
  readonly tasks: number;
  /** Resident memory, in MB. */
  readonly hostMemory: number;
  readonly inferenceMemory: number;
  /** Open files, sockets and pipes of both processes. */
  readonly handles: number;
  readonly threads: number;
  /** Everything in the data folder, in MB. */
  readonly files: number;
  /** 99 of 100 creates, and of 100 readings, were answered within so many milliseconds. */
  readonly createP99: number;
  readonly readP99: number;
}

/** Since the sample before; whoever measures adds to it. */
export class Latencies {
  #creates: number[] = [];
  #reads: number[] = [];

  created(milliseconds: number): void {
    this.#creates.push(milliseconds);
  }

  read(milliseconds: number): void {
    this.#reads.push(milliseconds);
  }

  take(): Pick<Sample, "createP99" | "readP99"> {
    const taken = { createP99: p99(this.#creates), readP99: p99(this.#reads) };
    this.#creates = [];
    this.#reads = [];
    return taken;
  }
}

export function usageOf(
  host: number,
  inference: number,
  dataDir: string,
): Omit<Sample, "at" | "tasks" | "createP99" | "readP99"> {
  return {
    hostMemory: memoryOf(host),
    inferenceMemory: memoryOf(inference),
    handles: handlesOf(host) + handlesOf(inference),
    threads: statusOf(host, "Threads") + statusOf(inference, "Threads"),
    files: bytesIn(dataDir) / 1e6,
  };
}

function memoryOf(pid: number): number {
  return statusOf(pid, "VmRSS") / 1e3;
}

function statusOf(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(status)?.[1]);
}

function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function bytesIn(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
    (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}
