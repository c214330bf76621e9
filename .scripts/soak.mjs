// A long load, and whether memory, handles, files and answers stay as they were. The argument is minutes:
// `npm run test:soak -- 20`.
import { readFile, rm } from "node:fs/promises";
import { inProject } from "./root.mjs";
import { runTool } from "./tool.mjs";

const minutes = process.argv[2] ?? "20";
const report = inProject("dist/test/soak.json");
await rm(report, { force: true });
const tests = ["vitest", "run", "--config", ".config/vitest.config.ts", "--project", "e2e", "e2e/soak/soak.test.ts"];
process.exitCode = await runTool(tests, { SIMMER_SOAK_MINUTES: minutes });
const { tasks, verdicts } = JSON.parse(await readFile(report, "utf8"));
const round = (value) => (Math.round(value * 10) / 10).toString();
for (const { figure, early, late, isFlat } of verdicts)
  console.log(
    `${figure.padEnd(16)} ${round(early).padStart(8)} -> ${round(late).padStart(8)}  ${isFlat ? "flat" : "GROWS"}`,
  );
const isFlat = verdicts.every((verdict) => verdict.isFlat);
console.log(`soak: ${minutes} min, ${tasks} tasks: ${isFlat ? "flat" : "NOT flat"}`);
