import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ModelSpec } from "../engine/backend";
import type { Log } from "./log";

const schema = z.record(z.string(), z.object({ version: z.string(), why: z.string() }));

/** By model id: which version of it is put aside, and why. */
export type Aside = ReadonlyMap<string, z.output<typeof schema>[string]>;

/** The models that are put aside, in `DIR/models-aside.json`. A file that cannot be read puts none aside. */
export class AsideFile {
  readonly #path: string;
  readonly #log: Log;

  constructor(dataDir: string, log: Log) {
    this.#path = join(dataDir, "models-aside.json");
    this.#log = log;
  }

  read(): Aside {
    try {
      return new Map(Object.entries(schema.parse(JSON.parse(readFileSync(this.#path, "utf8")))));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT"))
        this.#log.warn(`Which models are put aside could not be read: ${error}`);
      return new Map();
    }
  }

  write(aside: Aside): void {
    try {
      const draft = `${this.#path}.tmp`;
      writeFileSync(draft, `${JSON.stringify(Object.fromEntries(aside), null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, this.#path);
    } catch (error) {
      // They stay aside for as long as this host runs.
      this.#log.warn(`Which models are put aside could not be written: ${error}`);
    }
  }
}

/** Changes when a person gives the model another file or other settings. */
export function versionOf({ path, contextLength, threads, parallel, gpu }: ModelSpec): string {
  return JSON.stringify([...fileVersion(path), contextLength, threads, parallel, gpu]);
}

function fileVersion(path: string): readonly number[] {
  try {
    const { size, mtimeMs } = statSync(path);
    return [size, mtimeMs];
  } catch {
    return []; // a file that is gone, too, is another one once it is back
  }
}
