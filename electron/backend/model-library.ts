import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { InstalledModel, ModelLibrary } from "../engine/models";
import { readContextLength } from "./gguf/context-length";
import { splitName } from "./gguf/model-parts";

interface Found {
  readonly id: string;
  /** The first part, also when it is missing: loading then says so. */
  readonly path: string;
  readonly files: readonly Stats[];
}

interface Known {
  readonly size: number;
  readonly changedAt: number;
  readonly contextLength: number | null;
}

/** The models in some folders. Of two with one id, that of the earlier folder counts; the last folder is the app's own. */
export class FolderModelLibrary implements ModelLibrary {
  readonly #folders: readonly string[];
  /** What was read of a file's header, until the file changes. */
  readonly #known = new Map<string, Known>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  async list(): Promise<readonly InstalledModel[]> {
    const found = await Promise.all(this.#folders.map(modelsIn));
    const models = new Map<string, InstalledModel>();
    for (const [index, inFolder] of found.entries()) {
      const embedded = index === this.#folders.length - 1;
      for (const one of inFolder) if (!models.has(one.id)) models.set(one.id, this.#describe(one, embedded));
    }
    return [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async find(id: string): Promise<InstalledModel | undefined> {
    return (await this.list()).find((model) => model.id === id);
  }

  #describe({ id, path, files }: Found, embedded: boolean): InstalledModel {
    const sizeBytes = files.reduce((sum, file) => sum + file.size, 0);
    const changedAt = Math.max(...files.map((file) => file.mtimeMs));
    const known = this.#known.get(path);
    const isSame = known?.size === sizeBytes && known.changedAt === changedAt;
    const contextLength = isSame ? known.contextLength : readContextLength(path);
    if (!isSame) this.#known.set(path, { size: sizeBytes, changedAt, contextLength });
    return { id, path, sizeBytes, embedded, contextLength };
  }
}

/**
 * The model for a request that names none: the setting; else the only one beside the app's own; else the app's own;
 * of several the one used last, by `lastUsed`. Undefined when a request must name one.
 */
export function chooseModel(
  installed: readonly InstalledModel[],
  setting: string | null,
  lastUsed: (ids: readonly string[]) => string | undefined,
): string | undefined {
  if (setting !== null) return setting;
  const own = installed.filter(({ embedded }) => !embedded).map(({ id }) => id);
  if (own.length > 1) return lastUsed(own);
  return own[0] ?? installed[0]?.id;
}

async function modelsIn(folder: string): Promise<readonly Found[]> {
  const models = new Map<string, Found>();
  for (const name of (await namesIn(folder)).filter(isModelName).sort()) {
    const file = await fileAt(join(folder, name));
    if (file === undefined) continue;
    const first = name.replace(splitName, "-00001-of-$2.gguf");
    const id = name.replace(splitName, "").replace(/\.gguf$/, "");
    const path = join(folder, first);
    const known = models.get(id);
    if (known === undefined) models.set(id, { id, path, files: [file] });
    else if (known.path === path) models.set(id, { ...known, files: [...known.files, file] });
  }
  return [...models.values()];
}

/** A projector (`mmproj`) goes with a model of its own and is none. */
function isModelName(name: string): boolean {
  return name.endsWith(".gguf") && !name.startsWith(".") && !/(^|[-_.])mmproj([-_.]|$)/i.test(name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // A folder that was never made, or is no folder, holds no models.
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return [];
    throw error;
  }
}

async function fileAt(path: string): Promise<Stats | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : undefined;
  } catch (error) {
    // Removed meanwhile, or a link to nowhere.
    if (isCode(error, "ENOENT") || isCode(error, "ELOOP")) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
