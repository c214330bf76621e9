import { rm } from "node:fs/promises";
import { join } from "node:path";

/** The stand-in for Electron's default app comes along with the binary, and would be run instead of ours. */
export default async function afterPack({ appOutDir }) {
  await rm(join(appOutDir, "resources", "app"), { recursive: true, force: true });
}
