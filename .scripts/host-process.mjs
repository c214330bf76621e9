import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inProject } from "./root.mjs";

/**
 * Starts a host of its own on a free port, as a process, and waits until it listens. Its data folder is an empty one,
 * which goes with it, or `given`, which stays. `args` are more arguments of its command line.
 * `stop` ends it as the system would, `kill` as a crash does; an abort of `signal` while it starts ends it too.
 */
export async function startHost(signal, args = [], given = undefined) {
  const folder = given ?? (await mkdtemp(join(tmpdir(), "simmer-demo-")));
  const command = [inProject(".scripts/headless.mjs"), "--port", "0", "--data-dir", folder, ...args];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "pipe"] });
  const log = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => log.push(text));
  const closed = new Promise((resolve) => child.once("close", resolve));

  async function stop() {
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await closed;
    clearTimeout(late);
    if (given === undefined) await rm(folder, { recursive: true, force: true });
  }

  async function kill() {
    child.kill("SIGKILL");
    await closed;
  }

  try {
    const endpoint = await endpointOf(child, join(folder, "endpoint.json"), signal);
    return { endpoint, stop, kill };
  } catch (error) {
    await stop();
    throw new Error(`${error.message}\n${log.join("")}`);
  }
}

/** The file appears once the host listens, whole at once; that of a killed host before may still be there. */
async function endpointOf(child, path, signal) {
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("The host ended before it listened.");
    const endpoint = existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : undefined;
    if (endpoint?.pid === child.pid) return endpoint;
    await sleep(20, undefined, { signal });
  }
  throw new Error("The host did not listen within a minute.");
}
