import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inProject } from "./root.mjs";

/**
 * Starts a host of its own on a free port with an empty data folder, as a process, and waits until it listens.
 * `args` are more arguments of its command line.
 * `stop` ends it as the system would and removes the folder; an abort of `signal` while it starts does so too.
 */
export async function startHost(signal, args = []) {
  const folder = await mkdtemp(join(tmpdir(), "simmer-demo-"));
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
    await rm(folder, { recursive: true, force: true });
  }

  try {
    const endpoint = await endpointOf(child, join(folder, "endpoint.json"), signal);
    return { endpoint, stop };
  } catch (error) {
    await stop();
    throw new Error(`${error.message}\n${log.join("")}`);
  }
}

/** The file appears once the host listens, whole at once. */
async function endpointOf(child, path, signal) {
  for (let waited = 0; waited < 60_000; waited += 20) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("The host ended before it listened.");
    if (existsSync(path)) return JSON.parse(await readFile(path, "utf8"));
    await sleep(20, undefined, { signal });
  }
  throw new Error("The host did not listen within a minute.");
}
