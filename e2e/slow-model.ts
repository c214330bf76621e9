import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
// @ts-expect-error: a script in plain JavaScript, which the set-up of a machine can run by itself.
import { slowModel } from "../.scripts/slow-model.mjs";

/** The folder with `simmer-slow.gguf`: it says what the demo model says, at the pace of a real one. Made when missing. */
export async function slowModelFolder(): Promise<string> {
  return dirname(await slowModel());
}

/** Puts it into a folder under another name: with two models, a task that names none asks which. */
export async function linkSlowModel(folder: string, name: string): Promise<void> {
  symlinkSync(await slowModel(), join(folder, `${name}.gguf`));
}
