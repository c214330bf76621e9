// Makes the package and uses it as a person and another program would: `npm run test:package`.
import { runTool } from "./tool.mjs";

const use = ["playwright", "test", "-c", ".config/playwright.config.ts", "--project", "package"];
process.exitCode = (await runTool(["node", ".scripts/package.mjs"])) || (await runTool(use));
