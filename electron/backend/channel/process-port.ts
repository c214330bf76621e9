import type { ChildProcess } from "node:child_process";
import type { Port } from "./port";

/** The channel of a forked process: its `ChildProcess` on the host's side, `process` on its own. */
export function processPort(end: ChildProcess | NodeJS.Process): Port {
  return {
    post(message) {
      // The callback takes the error of a channel that is just closing; `onClose` tells of that.
      if (end.connected) end.send?.(message as object, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => end.on("message", listener),
    onClose: (listener) => end.once("disconnect", listener),
    close() {
      if (end.connected) end.disconnect?.();
    },
  };
}
