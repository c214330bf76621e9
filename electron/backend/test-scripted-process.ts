import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

/** The scripted inference process, built as the product's own is. */
export class ScriptedEntry {
  readonly folder = mkdtempSync(join(tmpdir(), "simmer-backend-"));
  readonly path = join(this.folder, "scripted-entry.js");
  readonly url = pathToFileURL(this.path);

  async build(): Promise<void> {
    await build({
      configFile: false,
      logLevel: "error",
      ssr: { noExternal: true },
      build: {
        ssr: fileURLToPath(new URL("./scripted/scripted-entry.ts", import.meta.url)),
        outDir: this.folder,
        target: "node20",
        rolldownOptions: { output: { entryFileNames: "scripted-entry.js", format: "esm" } },
      },
    });
    // A file without the project's package.json beside it would be CommonJS.
    writeFileSync(join(this.folder, "package.json"), '{"type":"module"}');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // ESRCH: there is no such process
  }
}
