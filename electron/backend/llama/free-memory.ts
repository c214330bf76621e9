import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import type { Llama } from "node-llama-cpp";

/** What a model may still take, in bytes. */
export interface FreeMemory {
  /** Without what would have to go to the swap space first. */
  readonly ram: number;
  /** Infinite where the system sets no limit to this process. */
  readonly addressSpace: number;
  /** 0 without a GPU. */
  readonly vram: number;
  /** Whether the GPU's memory is the machine's own. */
  readonly isUnified: boolean;
}

/** Left to the rest of the machine, and to what an estimate misses. */
const reserve = 0.05;

export async function freeMemory(llama: Llama): Promise<FreeMemory> {
  const [ram, vram] = [await llama.getRamState(), await llama.getVramState()];
  return {
    ram: Math.min(ram.free, freeInGroup()) * (1 - reserve),
    addressSpace: freeAddressSpace(fileText("/proc/self/limits"), fileText("/proc/self/status")),
    vram: vram.free,
    isUnified: vram.unifiedSize > 0,
  };
}

/** What a container leaves this process. Files that the system keeps in memory count as used there, yet give way. */
function freeInGroup(): number {
  const limit = process.constrainedMemory();
  if (limit === 0 || limit >= totalmem()) return Number.POSITIVE_INFINITY;
  return Math.min(limit, process.availableMemory() + keptFiles(groupStatistics()));
}

/** The bytes of files in `memory.stat` of a control group, of either version. */
export function keptFiles(statistics: string): number {
  const lines = statistics.matchAll(/^(?:in)?active_file (\d+)$/gm);
  return [...lines].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
}

function groupStatistics(): string {
  const group = /^0::(.*)$/m.exec(fileText("/proc/self/cgroup"))?.[1] ?? "";
  const places = [`/sys/fs/cgroup${group}`, "/sys/fs/cgroup", "/sys/fs/cgroup/memory"];
  return places.map((place) => fileText(`${place}/memory.stat`)).find((text) => text !== "") ?? "";
}

/** `limits` and `status` as Linux has them in /proc/self; elsewhere there are none. */
export function freeAddressSpace(limits: string, status: string): number {
  const limit = /^Max address space\s+(\d+)/m.exec(limits)?.[1];
  const used = /^VmSize:\s+(\d+) kB$/m.exec(status)?.[1];
  if (limit === undefined || used === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, Number(limit) - Number(used) * 1_024);
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Another system than Linux, or a container that hides it.
    return "";
  }
}
