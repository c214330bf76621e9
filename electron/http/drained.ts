import type { ServerResponse } from "node:http";

/** Resolves when the reader has taken what was written, or when `signal` aborts. */
export function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    response.once("drain", done);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
