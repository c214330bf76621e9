import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type UtilityProcess, utilityProcess } from "electron";
import type { Port } from "./channel/port";
import type { Log } from "./fork-inference";
import type { InferenceProcess } from "./inference-process";

/** Starts the inference process as a utility process of Electron; what it prints goes to the log. */
export function forkUtility(
  log: Log,
  entry: URL = new URL("./process-entry.js", import.meta.url),
): () => InferenceProcess {
  return () => {
    const child = utilityProcess.fork(fileURLToPath(entry), [], { serviceName: "Simmer inference", stdio: "pipe" });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => log.warn(line));
    }
    return {
      port: utilityPort(child),
      kill: () => killNow(child),
      onExit: (listener) => child.once("exit", (code) => listener({ code, signal: null })),
    };
  };
}

function utilityPort(child: UtilityProcess): Port {
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => child.on("message", listener),
    // The channel lasts as long as the process, whose exit says more.
    onClose: () => undefined,
    // Closing is asked for by a call before this; what is left then need not be asked again.
    close: () => killNow(child),
  };
}

/** Electron's own `kill` asks politely, which native code that hangs does not hear. */
function killNow(child: UtilityProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(child.pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
