import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import autocannon from "autocannon";
import { inProject } from "../../.scripts/root.mjs";
import { ratioOf } from "./figures.mjs";

const clients = 16;

/** Durable creates per second over the same route answering without storing. The data lies on the project's disk. */
export async function durableCreates({ rounds, seconds }) {
  const folder = await mkdtemp(inProject("dist/bench-"));
  const sides = [await startSide("stored", folder), await startSide("unstored", folder)];
  try {
    const [stored, unstored] = sides.map(
      ({ url, token }) =>
        () =>
          createsPerSecond(url, token, seconds),
    );
    await stored();
    await unstored();
    return await ratioOf(rounds, stored, unstored);
  } finally {
    for (const { child } of sides) child.disconnect();
    await Promise.all(sides.map(({ child }) => once(child, "exit")));
    await rm(folder, { recursive: true, force: true });
  }
}

async function startSide(kind, folder) {
  const child = fork(inProject(join("dist", "bench", "creates-host.js")), [kind, folder]);
  const [{ url, token }] = await once(child, "message");
  return { child, url, token };
}

async function createsPerSecond(url, token, seconds) {
  const result = await autocannon({
    url: `${url}/lmsp/v1/tasks`,
    method: "POST",
    connections: clients,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "response", input: { input: "Write a long report about bicycles." } }),
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} creates were refused`);
  return result["2xx"] / result.duration;
}
