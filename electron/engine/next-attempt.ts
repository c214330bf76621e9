import type { RestartPolicy } from "../../shared/lifecycle";

/** What a new attempt makes of the stream of the one before. */
export type Stream = "goes on" | "starts over";

/** LMSP 7.5: a resumed task's stream simply goes on; a `fail` task has no next attempt unless it lost nothing. */
export const streamOfNextAttempt = {
  fail: "starts over",
  retry: "starts over",
  resume: "goes on",
} as const satisfies Record<RestartPolicy, Stream>;
