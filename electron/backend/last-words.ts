import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import type { Log } from "./log";

interface Printing {
  readonly stdout: NodeJS.ReadableStream | null;
  readonly stderr: NodeJS.ReadableStream | null;
}

/** As many lines as a process needs to say why it gives up, with a stack. */
const kept = 60;
/** What was printed longer before, in milliseconds, is not about the end. */
const recent = 5_000;
/** What was printed just before the end arrives a moment after it. */
const arrival = 100;

/** Logs what a process prints; the result resolves with its last lines, and is for when the process has ended. */
export function lastWordsOf({ stdout, stderr }: Printing, log: Log): () => Promise<string> {
  const lines: { readonly at: number; readonly text: string }[] = [];
  const ends = [stdout, stderr].map(
    (stream) =>
      stream &&
      new Promise<void>((resolve) => {
        createInterface({ input: stream })
          .on("line", (text) => {
            lines.splice(0, lines.length - kept + 1);
            lines.push({ at: performance.now(), text });
            log.warn(text);
          })
          .on("close", resolve);
      }),
  );
  return async () => {
    const since = performance.now() - recent;
    // A child of its own may hold the streams open for ever.
    await Promise.race([Promise.all(ends), setTimeout(arrival)]);
    return lines.flatMap(({ at, text }) => (at < since ? [] : [text])).join("\n");
  };
}
