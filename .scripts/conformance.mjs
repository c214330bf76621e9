// The official MCP conformance suite against the host, both revisions, with a report of every scenario.
import { readFile, rm } from "node:fs/promises";
import { inProject } from "./root.mjs";
import { runTool } from "./tool.mjs";

const reports = inProject("dist/test/conformance");
await rm(reports, { recursive: true, force: true });
const tests = ["vitest", "run", "--config", ".config/vitest.config.ts", "--project", "e2e", "e2e/conformance"];
process.exitCode = await runTool(tests);
for (const revision of ["2025-11-25", "2026-07-28"]) {
  const report = await readFile(`${reports}/${revision}.txt`, "utf8").catch(() => "It did not run.\n");
  console.log(`\n== ${revision}\n${report.trimEnd()}`);
}
