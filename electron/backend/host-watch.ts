import { Worker } from "node:worker_threads";

/** As text, for it must run from any build of the entry, and from inside an archive. */
const watch = `
  const { workerData: host } = require("node:worker_threads");
  setInterval(() => {
    if (process.ppid !== host) process.kill(process.pid, "SIGKILL");
  }, 500);
`;

/**
 * Ends this process when its host is gone, also while native code keeps its event loop from hearing so: a thread looks
 * whose child it is. On Windows a process keeps its parent's number; there the end of the channel must do.
 */
export function endWithHost(log: (line: string) => void): void {
  if (process.platform === "win32") return;
  const thread = new Worker(watch, {
    eval: true,
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  thread.on("error", (error) => log(`Nobody watches any more whether the host lives: ${error}`));
  thread.unref();
}
