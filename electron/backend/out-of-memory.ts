import { readFileSync } from "node:fs";
import type { ProcessExit } from "./inference-process";

const advice = "Use a smaller model, or set a smaller context (models.context).";
/** How native code, a GPU's driver and the JavaScript engine say that they got no memory, before they give up. */
const refused = /std::bad_alloc|out of memory|insufficient memory|(cannot|failed to|unable to) allocate/i;
/** How a container, Windows and Chromium on Windows say it. */
const codes = [137, 0xc0000017, 0xe0000008];

/**
 * What to say of a process that ended for want of memory, surely or probably; null of any other. `systemKills` are those
 * that the system did for want of memory while the process lived. Only for a process that we did not end ourselves.
 */
export function outOfMemory({ code, signal, lastWords = "" }: ProcessExit, systemKills: number): string | null {
  if (refused.test(lastWords)) return `It ran out of memory. ${advice}`;
  if (signal !== "SIGKILL" && !codes.some((known) => known === code || known === (code ?? 0) >>> 0)) return null;
  if (systemKills > 0) return `The system ended it because memory ran out. ${advice}`;
  return `It was ended from outside, as the system does when memory runs out. If that was so: ${advice.toLowerCase()}`;
}

/** How many processes the system has ended for want of memory since it started; 0 where it does not say. */
export function systemKillsSoFar(): number {
  if (process.platform !== "linux") return 0;
  try {
    // Counts those of every memory limit on the machine, of containers too.
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // a system that hides it
  }
}
