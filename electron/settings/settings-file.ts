import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../../shared/problem";
import type { SettingKey, Settings } from "../../shared/settings";
import { checkSetting } from "./check-setting";

/** The settings that the person keeps, in `settings.json` of the data folder. */
export interface SettingsFile {
  /** As they are on the disk now; what is not valid there is left out, stays in the file and is warned of. */
  read(): Partial<Settings>;
  /** Keeps a setting; undefined goes back to the default. Throws ProblemError `invalid_request` or `storage_failed`. */
  write<K extends SettingKey>(key: K, value: Settings[K] | undefined): void;
}

/** What is used of the library that reads and writes the file; the desktop and the headless host have one each. */
export interface KeyValueStore {
  readonly store: Readonly<Record<string, unknown>>;
  set(key: string, value: unknown): void;
  delete(key: string): void;
}

export type OpenStore = (folder: string, parse: (text: string) => Record<string, unknown>) => KeyValueStore;

/** @param warn is told once of each fault, in a sentence for the person. */
export function openSettingsFile(folder: string, open: OpenStore, warn: (text: string) => void): SettingsFile {
  return new CheckedSettingsFile(folder, open, warn);
}

/**
 * Looks at the file before the library does, each time: the library would throw at a damaged one or overwrite it.
 * A damaged file is set aside under another name; one that cannot be read is left alone and counts as empty.
 */
class CheckedSettingsFile implements SettingsFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #open: OpenStore;
  readonly #warn: (text: string) => void;
  readonly #warned = new Set<string>();

  constructor(folder: string, open: OpenStore, warn: (text: string) => void) {
    this.#folder = folder;
    this.#path = join(folder, "settings.json");
    this.#open = open;
    this.#warn = warn;
  }

  read(): Partial<Settings> {
    // The library would make the folder, and not as its owner wants it.
    if (!existsSync(this.#path)) return {};
    try {
      this.#setAsideDamage();
      const entries = Object.entries(this.#open(this.#folder, parseSettings).store);
      return Object.fromEntries(entries.filter(([key, value]) => this.#isValid(key, value)));
    } catch (error) {
      this.#warnOnce(`${this.#path} cannot be read (${reason(error)}); the defaults are used`);
      return {};
    }
  }

  write<K extends SettingKey>(key: K, value: Settings[K] | undefined): void {
    const checked = value === undefined ? undefined : checkSetting(key, value);
    if (checked?.ok === false) throw new ProblemError("invalid_request", sentence(checked.fault));
    try {
      this.#setAsideDamage();
      const store = this.#open(this.#folder, parseSettings);
      if (value === undefined) store.delete(key);
      else store.set(key, value);
    } catch (error) {
      const detail = `The setting "${key}" could not be kept in ${this.#path} (${reason(error)}).`;
      throw new ProblemError("storage_failed", detail, { cause: error });
    }
  }

  #isValid(key: string, value: unknown): boolean {
    const checked = checkSetting(key, value);
    if (!checked.ok) this.#warnOnce(`${this.#path}: ${checked.fault}. This entry is ignored and stays in the file`);
    return checked.ok;
  }

  #setAsideDamage(): void {
    if (!existsSync(this.#path)) return;
    const text = readFileSync(this.#path, "utf8");
    if (isSettings(text)) return;
    const aside = this.#freeName();
    renameSync(this.#path, aside);
    this.#warnOnce(`${this.#path} was damaged; it is kept as ${aside} and the defaults are used`);
  }

  #freeName(): string {
    const time = new Date().toISOString().replaceAll(":", "-");
    const names = Array.from({ length: 100 }, (_, count) => `settings.damaged-${time}${count ? `-${count}` : ""}.json`);
    const free = names.map((name) => join(this.#folder, name)).find((path) => !existsSync(path));
    if (free === undefined) throw new Error("there is no free name to keep the damaged file under");
    return free;
  }

  #warnOnce(text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#warn(sentence(text));
  }
}

/** Editors of Windows begin a file with a byte order mark, which JSON does not know. */
function parseSettings(text: string): Record<string, unknown> {
  return JSON.parse(text.replace(/^\uFEFF/, ""));
}

function isSettings(text: string): boolean {
  try {
    const parsed: unknown = parseSettings(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false; // not JSON: cut off, overwritten with NUL, or edited badly
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
