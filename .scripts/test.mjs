// The whole check, in stages; stops at the first that fails. The last line says how many tests passed and failed.
import { readFile, rm } from "node:fs/promises";
import { electronCommand } from "./electron/launch.mjs";
import { MissingFromSystemError } from "./electron/system.mjs";
import { inProject } from "./root.mjs";
import { runTool } from "./tool.mjs";

const vitest = (project) => {
  const report = `dist/test/${project}.json`;
  const options = ["--config", ".config/vitest.config.ts", "--project", project];
  const reporters = ["--reporter", "default", "--reporter", "json", "--outputFile.json", report];
  return { command: ["vitest", "run", ...options, ...reporters], report };
};

const stages = [
  { name: "format and lint", command: ["biome", "ci", "--error-on-warnings", "."] },
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "unused code", command: ["knip", "--config", ".config/knip.json"] },
  { name: "build", command: ["node", ".scripts/build.mjs"] },
  { name: "unit tests", ...vitest("unit") },
  { name: "end-to-end tests", ...vitest("e2e") },
  {
    name: "end-to-end tests of the app",
    prepare: () => electronCommand({ forTests: true }),
    command: ["playwright", "test", "-c", ".config/playwright.config.ts", "--project", "app"],
    report: "dist/test/app.json",
  },
  {
    name: "the package",
    prepare: () => electronCommand({ forTests: true }),
    command: ["node", ".scripts/package-test.mjs"],
    env: { SIMMER_REPORT: "package" },
    report: "dist/test/package.json",
  },
];
let missing;

await rm(inProject("dist/test"), { recursive: true, force: true });
const failed = await firstFailure();
const { passed, failures } = await count();
// A stage without tests of its own counts as one.
const failedInAll = failed === undefined ? failures : failures || 1;
console.log(failed === undefined ? "\nAll stages passed." : `\nStopped at: ${failed}.`);
console.log(`${passed} passed, ${failedInAll} failed`);
if (missing !== undefined) console.log(`Missing for the last stage; run this and then npm test again:\n${missing}`);
process.exitCode = failed === undefined ? 0 : 1;

async function firstFailure() {
  for (const { name, command, prepare, env } of stages) {
    console.log(`\n== ${name}`);
    const startedAt = performance.now();
    const code = (await isReady(prepare)) ? await runTool(command, env) : 1;
    console.log(`== ${name}: ${code === 0 ? "ok" : "FAILED"} in ${seconds(startedAt)} s`);
    if (code !== 0) return name;
  }
}

/** What a stage needs of the system may be missing here, and not ours to install. */
async function isReady(prepare) {
  try {
    await prepare?.();
    return true;
  } catch (error) {
    console.error(error.message);
    if (error instanceof MissingFromSystemError) missing = error.command;
    return false;
  }
}

/** Sums up the reports; a stage that was not reached has none. */
async function count() {
  const sum = { passed: 0, failures: 0 };
  for (const { report } of stages.filter((stage) => stage.report)) {
    const text = await readFile(inProject(report), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const { stats, numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(text);
    sum.passed += stats?.expected ?? numPassedTests;
    // A file that cannot be loaded has no tests, yet it failed.
    sum.failures += stats?.unexpected ?? (numFailedTests || numFailedTestSuites);
  }
  return sum;
}

function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(1);
}
