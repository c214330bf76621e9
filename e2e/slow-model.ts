import { dirname } from "node:path";
// @ts-expect-error: a script in plain JavaScript, which the set-up of a machine can run by itself.
import { slowModel } from "../.scripts/slow-model.mjs";

/** The folder with `simmer-slow.gguf`: it says what the demo model says, at the pace of a real one. Made when missing. */
export async function slowModelFolder(): Promise<string> {
  return dirname(await slowModel());
}
