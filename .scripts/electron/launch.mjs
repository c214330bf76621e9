import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { electronBinary } from "./binary.mjs";
import { ensureSystem } from "./system.mjs";

/** What starts the app of this project: Electron's binary, and the arguments that come before the app's own. */
export async function electronCommand({ forTests }) {
  const binary = await electronBinary();
  await ensureSystem(binary, { forTests });
  return { binary, flags: (await canSandbox()) ? [] : ["--no-sandbox"] };
}

/** Chromium's sandbox needs user namespaces, and refuses root. Where it cannot be had, the app must do without. */
async function canSandbox() {
  if (process.platform !== "linux") return true;
  if (process.getuid() === 0) return false;
  try {
    await promisify(execFile)("unshare", ["--user", "true"]);
    return true;
  } catch {
    return false; // not allowed on this system, or no such tool
  }
}
