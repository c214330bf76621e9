// The crash tests at length. The argument is the number of rounds: `npm run test:crash -- 50`.
import { runTool } from "./tool.mjs";

const rounds = process.argv[2] ?? "20";
const tests = ["vitest", "run", "--config", ".config/vitest.config.ts", "--project", "e2e", "e2e/crash"];
process.exitCode = await runTool(tests, { SIMMER_CRASH_ROUNDS: rounds });
