import type { Backend } from "../engine/backend";
import { parentPort, type UtilityParentPort } from "./channel/parent-port";
import { processPort } from "./channel/process-port";
import { serveBackend } from "./channel/serve-backend";
import { endWithHost } from "./host-watch";
import { forkThroughHost } from "./probe";

/** Set in a utility process of Electron. */
const { parentPort: utility } = process as { parentPort?: UtilityParentPort };

/** Makes this process serve a backend to the host that forked it, for as long as that host lives. */
export function serveProcess(open: (log: (line: string) => void) => Backend): void {
  // The host can die while this process starts; then the channel has closed before anybody here could hear so.
  if (utility === undefined && !process.connected) process.exit(0);
  const log = (line: string) => console.error(line);
  // A Ctrl+C in a terminal reaches every process there; the host decides what it means.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  endWithHost(log);
  if (utility !== undefined) forkThroughHost(utility);
  const backend = open(log);
  let closed = false;
  serveBackend(
    {
      load: (...call) => backend.load(...call),
      unload: (...call) => backend.unload(...call),
      generate: (...call) => backend.generate(...call),
      stats: () => backend.stats(),
      async close() {
        await backend.close();
        closed = true;
      },
    },
    utility === undefined ? processPort(process) : parentPort(utility),
    log,
  );
  process.once("disconnect", () => {
    // Without its host nothing may stay: native threads at work could hold up an orderly exit.
    if (closed) process.exit(0);
    else process.kill(process.pid, "SIGKILL");
  });
}
