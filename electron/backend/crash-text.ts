import { exitText, type ProcessExit } from "./inference-process";
import { outOfMemory } from "./out-of-memory";

/** How a process came to be lost. */
export interface Loss {
  readonly exit: ProcessExit;
  /** Why we ended it, in a sentence; absent when it ended without us. */
  readonly fault: string | undefined;
  /** Processes that the system ended for want of memory while it lived. */
  readonly systemKills: number;
}

/** What to say of a lost process: how it ended, and what a person can do. */
export function crashText({ exit, fault, systemKills }: Loss): string {
  if (fault !== undefined) return `The inference process was ended: ${fault}`;
  const memory = outOfMemory(exit, systemKills);
  const how = `The inference process ended unexpectedly: ${exitText(exit)}.`;
  return memory === null ? how : `${how} ${memory}`;
}
