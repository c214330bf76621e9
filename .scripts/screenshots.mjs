// Pictures of the main states, in dist/screenshots, to look at: `npm run screenshots`.
import { ensureBuilt } from "./built.mjs";
import { runTool } from "./tool.mjs";

await ensureBuilt();
process.exitCode = await runTool([
  "playwright",
  "test",
  "-c",
  ".config/playwright.config.ts",
  "--project",
  "screenshots",
]);
