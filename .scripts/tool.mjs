import { spawn } from "node:child_process";
import { inProject, root } from "./root.mjs";

const windows = process.platform === "win32";

/** Runs one of the project's own tools to its end and resolves with its exit code. Windows finds them by a shell. */
export function runTool([tool, ...args], env = {}) {
  const path = `${inProject("node_modules/.bin")}${windows ? ";" : ":"}${process.env.PATH}`;
  const options = { cwd: root, stdio: "inherit", shell: windows, env: { ...process.env, ...env, PATH: path } };
  const child = spawn(tool, args, options);
  return new Promise((resolve, reject) => child.on("error", reject).on("close", (code) => resolve(code ?? 1)));
}
