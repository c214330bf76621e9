import { existsSync } from "node:fs";
import { readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { inProject } from "./root.mjs";

const target = inProject("dist/app");
const stamp = `${target}/.built`;
const configs = ["vite", "vite.preload", "vite.renderer"].map((name) => `.config/${name}.config.ts`);
const outputs = ["electron", "electron", "renderer"];
const sources = ["shared", "electron", "renderer", "package.json", ...configs].map(inProject);

/** Builds when the build is missing or older than the sources. Silent on stdout: it belongs to the host. */
export async function ensureBuilt() {
  const built = existsSync(stamp) ? (await stat(stamp)).mtimeMs : 0;
  const times = await Promise.all(sources.map(newest));
  if (Math.max(...times) > built) await build();
}

/**
 * Builds beside the old build and swaps, so that a host that starts meanwhile never sees half a build.
 * The stamp carries the time of the start: what is saved during the build makes it old again.
 */
export async function build() {
  const startedAt = new Date();
  const fresh = inProject(`dist/.new-${process.pid}`);
  const old = inProject(`dist/.old-${process.pid}`);
  try {
    const vite = await import("vite");
    for (const [index, config] of configs.entries()) {
      const build = { outDir: `${fresh}/${outputs[index]}`, emptyOutDir: false };
      await vite.build({ configFile: inProject(config), logLevel: "warn", build });
    }
    await writeFile(`${fresh}/.built`, "");
    await utimes(`${fresh}/.built`, startedAt, startedAt);
    await rename(target, old).catch(unless("ENOENT")); // the first build, or another one is between these two lines
    await rename(fresh, target).catch(unless("ENOTEMPTY")); // another build of the same sources was faster
  } finally {
    await Promise.all([fresh, old].map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

function unless(code) {
  return (error) => {
    if (error.code !== code) throw error;
  };
}

/** The newest change at or under `path`, in milliseconds. A folder counts too: its time tells of removed files. */
async function newest(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = (await readdir(path)).filter((name) => !name.endsWith(".test.ts"));
  return Math.max(found.mtimeMs, ...(await Promise.all(names.map((name) => newest(`${path}/${name}`)))));
}
