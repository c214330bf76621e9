// Makes the app's folder for this machine, in dist/package: `npm run package`. Installers: see electron-builder.yml.
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ensureBuilt } from "./built.mjs";
import { electronBinary } from "./electron/binary.mjs";
import { inProject } from "./root.mjs";
import { runTool } from "./tool.mjs";

await ensureBuilt();
const dist = dirname(await electronBinary());
const version = (await readFile(join(dist, "version"), "utf8")).trim();
await rm(inProject("dist/package"), { recursive: true, force: true });
const electron = [`--config.electronDist=${dist}`, `--config.electronVersion=${version}`];
process.exitCode = await runTool([
  "electron-builder",
  "--dir",
  ...electron,
  "--publish",
  "never",
  ...process.argv.slice(2),
]);
