// Hosts that are killed at random moments, at length: `npm run test:crash -- 1000`. The second argument is the seed of the
// randomness; without one it is drawn, and the last line says it. `npm run test:crash -- 42-17` plans round 17 of seed 42 again.
import { randomInt } from "node:crypto";
import { runnerImport } from "vite";
import { ensureBuilt } from "./built.mjs";
import { inProject } from "./root.mjs";

const [rounds = "20", seed = String(randomInt(1_000_000))] = process.argv.slice(2);
await ensureBuilt();
const { module } = await runnerImport(inProject("e2e/crash/long-form.ts"), { oxc: { target: "node20" } });
process.exit(await module.longForm(rounds, seed));
