// The foreign programs that speak MCP with the host in the tests. They need a newer Node than the project does, and
// bring one: in node_modules it would stand in for the system's. So they lie in the user's cache, by what is locked.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inCache } from "./cache.mjs";
import { inProject } from "./root.mjs";

const wanted = inProject("e2e/peers");
const files = ["package.json", "package-lock.json"];
const windows = process.platform === "win32";

/** The paths of the Node that runs the peers, and of each of them. Installs what is locked when it is missing. */
export async function mcpPeers() {
  const folder = inCache(`mcp-peers-${await lockHash()}-${process.platform}-${process.arch}`);
  if (!existsSync(folder)) await install(folder);
  const inFolder = (path) => join(folder, "node_modules", path);
  return {
    node: nodeOf(inFolder),
    conformance: inFolder("@modelcontextprotocol/conformance/dist/index.js"),
    mcpdo: inFolder("@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js"),
  };
}

async function lockHash() {
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(join(wanted, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Beside its place first, so that the folder is there only when it is whole; of two at once the first one stays. */
async function install(folder) {
  console.error("Fetching the MCP peers of the tests; this happens once.");
  const fresh = `${folder}.new-${process.pid}`;
  try {
    await mkdir(fresh, { recursive: true });
    for (const file of files) await copyFile(join(wanted, file), join(fresh, file));
    await npmCi(fresh);
    await rename(fresh, folder).catch((error) => existsSync(folder) || Promise.reject(error));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function npmCi(folder) {
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  try {
    await promisify(execFile)("npm", ["ci", ...options], { cwd: folder, shell: windows });
  } catch (error) {
    throw new Error(`The MCP peers cannot be installed: ${(error.stderr || error.message).trim()}`, { cause: error });
  }
}

/** The packages have a Node for most systems; on the others the one that runs this must be new enough. */
function nodeOf(inFolder) {
  const name = windows ? "node.exe" : "node";
  const brought = inFolder(`node-${windows ? "win" : process.platform}-${process.arch}/bin/${name}`);
  if (existsSync(brought)) return brought;
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
  throw new Error("The MCP peers of the tests need Node 22 or newer on this system.");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await mcpPeers());
