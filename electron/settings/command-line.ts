import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { clientNameFault } from "../../shared/client-name";
import type { Settings } from "../../shared/settings";
import { checkSetting } from "./check-setting";
import { defaultDataFolder } from "./data-folder";

/** A command line that cannot be followed. The host says why, and ends with code 2. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
}

export interface CommandLine {
  readonly dataDir: string;
  /** Where the person keeps models, beside the one that comes with the app. */
  readonly modelsDir: string;
  /** Names of clients that get a token each, besides `local`. */
  readonly clients: readonly string[];
  /** Settings for this run only; `--port` is among them. */
  readonly overrides: Partial<Settings>;
  /** What to do instead of serving; null serves. */
  readonly archive: ArchiveOrder | null;
  readonly help: boolean;
}

export interface ArchiveOrder {
  readonly kind: "backup" | "export" | "import";
  /** "-" is the standard output, of an export only. */
  readonly file: string;
}

export const usage = `Usage: npm run --silent headless -- [options]

  --port N          listen on 127.0.0.1:N; 0 takes any free port (default: the setting, 4517)
  --data-dir DIR    keep tasks, settings and endpoint.json in DIR (default: ${defaultDataFolder()})
  --models-dir DIR  find models in DIR (default: "models" in the data folder)
  --client NAME     make a token for the client NAME; may be repeated
  --set KEY=VALUE   a setting for this run only; may be repeated
  --help            show this

Instead of serving, also while another Simmer serves DIR (but for --import):

  --backup FILE     copy the database to FILE
  --export FILE     write everything to FILE, as JSON lines; "-" is the standard output
  --import FILE     take in what an export has and DIR has not`;

const archiveKinds = ["backup", "export", "import"] as const;

/** Throws CommandLineError. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { port, set, client, help, backup, export: exported, import: imported, ...folders } = optionsOf(args);
  const dataDir = folder("--data-dir", folders["data-dir"]) ?? defaultDataFolder();
  return {
    dataDir,
    modelsDir: folder("--models-dir", folders["models-dir"]) ?? join(dataDir, "models"),
    clients: [...new Set(client.map(clientName))],
    overrides: { ...overridesOf(set), ...(port === undefined ? {} : { port: portNumber(port) }) },
    archive: archiveOrder({ backup, export: exported, import: imported }),
    help,
  };
}

function optionsOf(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string" },
        "data-dir": { type: "string" },
        "models-dir": { type: "string" },
        client: { type: "string", multiple: true, default: [] },
        set: { type: "string", multiple: true, default: [] },
        backup: { type: "string" },
        export: { type: "string" },
        import: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    return values;
  } catch (error) {
    // The library's message goes on about positional arguments, which there are none of.
    const [first = ""] = error instanceof Error ? error.message.split(/\. |\n/) : [];
    throw new CommandLineError(`${first.replace(/\.$/, "")}. See --help.`);
  }
}

function archiveOrder(files: Record<ArchiveOrder["kind"], string | undefined>): ArchiveOrder | null {
  const [order, ...others] = archiveKinds.flatMap((kind) => {
    const file = files[kind];
    return file === undefined ? [] : [{ kind, file }];
  });
  if (order === undefined) return null;
  const { kind, file } = order;
  if (others.length > 0) throw new CommandLineError(`--${kind} and --${others[0]?.kind} cannot be done at once.`);
  if (file === "-" && kind === "export") return order;
  if (file === "" || file === "-") throw new CommandLineError(`--${kind} needs the name of a file.`);
  return { kind, file: resolve(file) };
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new CommandLineError(`--port must be a whole number from 0 to 65535, not "${text}".`);
}

function folder(option: string, path: string | undefined): string | undefined {
  if (path === "") throw new CommandLineError(`${option} needs the name of a folder.`);
  return path === undefined ? undefined : resolve(path);
}

function clientName(name: string): string {
  const fault = clientNameFault(name);
  if (fault !== undefined) throw new CommandLineError(`--client ${fault}.`);
  return name;
}

function overridesOf(pairs: readonly string[]): Partial<Settings> {
  return Object.fromEntries(pairs.map(override));
}

function override(pair: string): [string, unknown] {
  const split = pair.indexOf("=");
  if (split < 1) throw new CommandLineError(`--set needs KEY=VALUE, not "${pair}".`);
  const [key, text] = [pair.slice(0, split), pair.slice(split + 1)];
  const asJson = checkSetting(key, json(text));
  if (asJson.ok) return [key, asJson.value];
  // A model may be called 123 or true: what does not fit as JSON is tried as the text it is.
  const asText = checkSetting(key, text);
  if (asText.ok) return [key, asText.value];
  throw new CommandLineError(`--set: ${asJson.fault}.`);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // bare text needs no quotes
  }
}
