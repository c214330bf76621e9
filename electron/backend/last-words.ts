import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { Log } from "./log";

interface Printing {
  readonly stdout: NodeJS.ReadableStream | null;
  readonly stderr: NodeJS.ReadableStream | null;
}

/** As many lines as tell why native code gave up, and few enough that they are of the end. */
const kept = 10;
/** What was printed just before the end arrives a moment after it. */
const arrival = 100;

/** Logs what a process prints; the result resolves with its last lines, and is for when the process has ended. */
export function lastWordsOf({ stdout, stderr }: Printing, log: Log): () => Promise<string> {
  const lines: string[] = [];
  const ends = [stdout, stderr].map(
    (stream) =>
      stream &&
      new Promise<void>((resolve) => {
        createInterface({ input: stream })
          .on("line", (line) => {
            lines.splice(0, lines.length - kept + 1);
            lines.push(line);
            log.warn(line);
          })
          .on("close", resolve);
      }),
  );
  return async () => {
    // A child of its own may hold the streams open for ever.
    await Promise.race([Promise.all(ends), setTimeout(arrival)]);
    return lines.join("\n");
  };
}
