import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inProject } from "../../.scripts/root.mjs";
import { spreadOf } from "./figures.mjs";

const program = inProject(join("dist", "bench", "boot-host.js"));

/** Seconds from opening the file until every task that a restart interrupted has its new status. */
export async function bootRecovery({ rounds, tasks }) {
  const folder = await mkdtemp(inProject("dist/bench-"));
  try {
    const filled = join(folder, "filled.db");
    await promisify(execFile)(process.execPath, [program, "fill", filled, String(tasks)]);
    const times = [];
    for (let round = 0; round < rounds; round += 1) {
      const path = join(folder, `round-${round}.db`);
      await copyFile(filled, path);
      const child = fork(program, ["boot", path]);
      const [milliseconds] = await once(child, "message");
      await once(child, "exit");
      times.push(milliseconds / 1_000);
    }
    return spreadOf(times);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
