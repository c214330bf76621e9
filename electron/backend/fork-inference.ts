import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { processPort } from "./channel/process-port";
import type { InferenceProcess, ProcessExit } from "./inference-process";

/** Where lines for a person who looks after the host go. */
export interface Log {
  warn(line: string): void;
}

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
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => log.warn(line));
    }
    return {
      port: processPort(child),
      kill: () => void child.kill("SIGKILL"),
      onExit: (listener) => onceGone(child, listener),
    };
  };
}

function onceGone(child: ChildProcess, listener: (exit: ProcessExit) => void): void {
  child.once("exit", (code, signal) => listener({ code, signal }));
  // One that could not be started has no exit; one that could not be killed goes on.
  child.on("error", (error) => {
    if (child.pid === undefined) listener({ code: null, signal: null, error });
  });
}
