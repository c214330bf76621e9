import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * What tells a running process from any other that had, or will have, its number: when it was started. Null when there
 * is no such process, or the system does not say.
 */
export function identityOf(pid: number): string | null {
  try {
    if (process.platform === "linux") return linuxIdentity(pid);
    if (process.platform === "win32") return null;
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null; // it has ended
  }
}

/** Its start counts from that of the system, which therefore has its part in it. */
function linuxIdentity(pid: number): string | null {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name before may hold anything, parentheses too.
  const [state, ...others] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startedAt = others[18];
  if (state === "Z" || startedAt === undefined) return null; // only its exit code is left
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${startedAt}`;
}
