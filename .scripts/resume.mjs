// Runs that are killed and continued, at length. The argument is how many: `npm run test:resume -- 50`.
import { runTool } from "./tool.mjs";

const rounds = process.argv[2] ?? "50";
const tests = ["vitest", "run", "--config", ".config/vitest.config.ts", "--project", "e2e", "e2e/resume"];
process.exitCode = await runTool(tests, { SIMMER_RESUME_ROUNDS: rounds });
