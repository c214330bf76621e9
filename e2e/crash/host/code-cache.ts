import { existsSync, readFileSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { constants, Script } from "node:vm";

/** Set in the one run that keeps what V8 has compiled; all later runs read it. */
export const keepCode = "SIMMER_CRASH_KEEP_CODE";

/** Runs a bundled program from its compiled code, which spares a third of the time of a start. */
export function run(path: string): void {
  const kept = `${path}.code`;
  const script = new Script(Module.wrap(readFileSync(path, "utf8")), {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(existsSync(kept) ? { cachedData: readFileSync(kept) } : {}),
  });
  if (process.env[keepCode]) process.on("exit", () => writeFileSync(kept, script.createCachedData()));
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path));
}
