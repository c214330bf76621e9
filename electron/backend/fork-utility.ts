import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { type UtilityProcess, utilityProcess } from "electron";
import type { Port } from "./channel/port";
import type { InferenceProcess, ProcessExit } from "./inference-process";
import { lastWordsOf } from "./last-words";
import type { Log } from "./log";
import { isProbe, Probes } from "./probe";

/** Starts the inference process as a utility process of Electron; what it prints goes to the log. */
export function forkUtility(
  log: Log,
  entry: URL = new URL("./process-entry.js", import.meta.url),
): () => InferenceProcess {
  return () => {
    const child = utilityProcess.fork(fileURLToPath(entry), [], { serviceName: "Simmer inference", stdio: "pipe" });
    const lastWords = lastWordsOf(child, log);
    const probes = new Probes(child, (file, env) => utilityProcess.fork(file, [], { env, stdio: "ignore" }));
    child.once("exit", () => probes.close());
    return {
      port: utilityPort(child, probes),
      kill: () => killNow(child),
      onStart(listener) {
        child.once("spawn", () => {
          if (child.pid !== undefined) listener(child.pid);
        });
      },
      onExit(listener) {
        child.once("exit", async (code) => listener({ ...exitOf(code), lastWords: await lastWords() }));
      },
    };
  };
}

function utilityPort(child: UtilityProcess, probes: Probes): Port {
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) =>
      child.on("message", (message) => {
        if (isProbe(message)) probes.hear(message);
        else listener(message);
      }),
    // The channel lasts as long as the process, whose exit says more.
    onClose: () => undefined,
    // Closing is asked for by a call before this; what is left then need not be asked again.
    close: () => killNow(child),
  };
}

/** Where there are signals, Electron gives the number of the one that ended the process as its exit code. */
function exitOf(code: number): ProcessExit {
  const fatal = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGSEGV", "SIGTERM"] as const;
  const signal = process.platform === "win32" ? undefined : fatal.find((name) => constants.signals[name] === code);
  return signal === undefined ? { code, signal: null } : { code: null, signal };
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
