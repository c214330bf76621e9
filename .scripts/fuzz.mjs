// Requests that nobody should send, at length: `npm run test:fuzz -- 10000` sends so many to each face, `--seed N` the
// same ones as before, and `--replay FILE` only those that a run has recorded.
import { readdir, readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { inProject } from "./root.mjs";
import { runTool } from "./tool.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, replay: { type: "string" } },
});
const folder = inProject("dist/fuzz");
const tests = ["vitest", "run", "--config", ".config/vitest.config.ts", "--project", "e2e"];

if (values.replay === undefined) {
  await rm(folder, { recursive: true, force: true });
  const seed = values.seed === undefined ? {} : { SIMMER_FUZZ_SEED: values.seed };
  const env = { SIMMER_FUZZ_REQUESTS: positionals[0] ?? "10000", ...seed };
  process.exitCode = await runTool([...tests, "e2e/fuzz"], env);
  for (const line of await lastLines()) console.log(line);
} else {
  const env = { SIMMER_FUZZ_REPLAY: resolve(values.replay) };
  process.exitCode = await runTool([...tests, "e2e/fuzz/recorded.test.ts"], env);
}

/** One line for each face, of the reports that the tests have written. */
async function lastLines() {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /(?<!\.failed)\.json$/.test(name));
  const reports = await Promise.all(names.sort().map(async (name) => JSON.parse(await readFile(`${folder}/${name}`))));
  return reports.map(({ face, seed, sent, statuses, measures, slowest, faults }) => {
    const answers = Object.entries(statuses).map(([kind, count]) => `${count} x ${kind}`);
    const [first, last] = [measures.at(0), measures.at(-1)];
    const heap = `heap ${megabytes(first.heapUsed)} -> ${megabytes(last.heapUsed)} MB`;
    const open = last.connections === undefined ? [] : [`connections ${first.connections} -> ${last.connections}`];
    const health = slowest === undefined ? [] : [`others answered within ${Math.ceil(slowest)} ms`];
    const verdict = faults.length === 0 ? "ok" : `${faults.length} faults`;
    return `fuzz: ${[face, `seed ${seed}`, `${sent} sent`, ...answers, heap, ...open, ...health].join(", ")}: ${verdict}`;
  });
}

function megabytes(bytes) {
  return (bytes / 1024 / 1024).toFixed(1);
}
