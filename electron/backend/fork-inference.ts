import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { processPort } from "./channel/process-port";
import type { InferenceProcess } from "./inference-process";
import { lastWordsOf } from "./last-words";
import type { Log } from "./log";

/** Forks the inference process in plain Node; what it prints goes to the log. The built entry lies beside this code. */
export function forkInference(
  log: Log,
  entry: URL = new URL("./process-entry.js", import.meta.url),
  args: readonly string[] = [],
): () => InferenceProcess {
  return () => {
    const child = fork(fileURLToPath(entry), args, {
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: [],
    });
    const lastWords = lastWordsOf(child, log);
    return {
      port: processPort(child),
      kill: () => void child.kill("SIGKILL"),
      onStart(listener) {
        if (child.pid !== undefined) listener(child.pid);
      },
      onExit(listener) {
        child.once("exit", async (code, signal) => listener({ code, signal, lastWords: await lastWords() }));
        // One that could not be started has no exit; one that could not be killed goes on.
        child.on("error", (error) => {
          if (child.pid === undefined) listener({ code: null, signal: null, error });
        });
      },
    };
  };
}
