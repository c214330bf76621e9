// Measures Simmer, as ratios of runs in turns: `npm run bench`, or `-- --short` to see only that it runs.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { build as bundle } from "vite";
import { bootRecovery } from "../e2e/bench/boot.mjs";
import { durableCreates } from "../e2e/bench/creates.mjs";
import { resumedRun } from "../e2e/bench/resume.mjs";
import { cancelToIdle, hostSettings, wholePath } from "../e2e/bench/speed.mjs";
import { ensureBuilt } from "./built.mjs";
import { startHost } from "./host-process.mjs";
import { inProject } from "./root.mjs";
import { slowModel } from "./slow-model.mjs";

const { values } = parseArgs({ options: { short: { type: "boolean", default: false } } });
const plan = values.short
  ? {
      speed: { rounds: 1, tokens: 16 },
      cancel: { rounds: 1 },
      resume: { rounds: 1, tokens: 48 },
      creates: { rounds: 1, seconds: 1 },
      boot: { rounds: 1, tasks: 100 },
    }
  : {
      speed: { rounds: 12, tokens: 192 },
      cancel: { rounds: 20 },
      resume: { rounds: 5, tokens: 600 },
      creates: { rounds: 12, seconds: 3 },
      boot: { rounds: 10, tasks: 10_000 },
    };

await ensureBuilt();
await bundle({
  configFile: inProject(".config/vite.config.ts"),
  logLevel: "warn",
  build: {
    outDir: inProject("dist/bench"),
    rolldownOptions: {
      input: {
        "creates-host": inProject("e2e/bench/creates-host.ts"),
        "boot-host": inProject("e2e/bench/boot-host.ts"),
      },
    },
  },
});
const modelPath = await slowModel();
const host = await startHost(undefined, ["--models-dir", dirname(modelPath), ...hostSettings]);
const rows = [];
try {
  const speed = await wholePath({ host: host.endpoint, modelPath, ...plan.speed });
  rows.push({ name: "tokens/s, whole path / bare node-llama-cpp loop", goal: ">= 0.97", ...speed });
  const cancel = await cancelToIdle({ host: host.endpoint, ...plan.cancel });
  rows.push({ name: "cancel to idle, in token times", goal: "<= 1.5", ...cancel });
} finally {
  await host.stop();
}
rows.push({
  name: "time of a run killed at 80 % and resumed / undisturbed",
  goal: "<= 1.1",
  ...(await resumedRun({ modelsDir: dirname(modelPath), ...plan.resume })),
});
rows.push({
  name: "recovery of 10,000 interrupted tasks at the start, in seconds",
  goal: "<= 0.5",
  ...(await bootRecovery(plan.boot)),
});
rows.push({
  name: "durable creates/s, 16 clients / the same route without storing",
  goal: ">= 0.5",
  ...(await durableCreates(plan.creates)),
});

const table = [
  "| ratio | goal | median | lowest | highest | rounds |",
  "|---|---|---|---|---|---|",
  ...rows.map(({ name, goal, median, low, high, rounds }) => {
    const figures = [median, low, high].map((figure) => figure.toFixed(3)).join(" | ");
    return `| ${name} | ${goal} | ${figures} | ${rounds} |`;
  }),
].join("\n");
await mkdir(inProject("dist/bench"), { recursive: true });
await writeFile(inProject("dist/bench/results.json"), JSON.stringify(rows, null, 2));
await writeFile(inProject("dist/bench/results.md"), `${table}\n`);
console.log(table);
