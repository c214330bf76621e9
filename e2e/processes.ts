import { readdirSync, readFileSync } from "node:fs";

/** The children of a process, from /proc. */
export function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

/** Waits until a process has ended; throws when it outlives its welcome. */
export async function isGone(pid: number): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (parentOf(String(pid)) === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`The process ${pid} was left behind`);
}

/** Undefined when there is no such process, or only its unread exit code is left. */
function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined; // it has ended
  }
}

/** The children, their children and so on. */
export function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The command line of a process; empty when it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended
  }
}

/** The processes that have `name=value` in the environment that they were started with, their own children included. */
export function processesWith(name: string, value: string): number[] {
  return readdirSync("/proc")
    .filter(
      (pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(`${name}=${value}`) && parentOf(pid) !== undefined,
    )
    .map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return []; // it has ended, or is not ours to look at
  }
}
