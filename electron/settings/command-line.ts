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
  readonly help: boolean;
}

export const usage = `Usage: npm run --silent headless -- [options]

  --port N          listen on 127.0.0.1:N; 0 takes any free port (default: the setting, 4517)
  --data-dir DIR    keep tasks, settings and endpoint.json in DIR (default: ${defaultDataFolder()})
  --models-dir DIR  find models in DIR (default: "models" in the data folder)
  --client NAME     make a token for the client NAME; may be repeated
  --set KEY=VALUE   a setting for this run only; may be repeated
  --help            show this`;

/** Throws CommandLineError. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { port, set, client, help, ...folders } = optionsOf(args);
  const dataDir = folder("--data-dir", folders["data-dir"]) ?? defaultDataFolder();
  return {
    dataDir,
    modelsDir: folder("--models-dir", folders["models-dir"]) ?? join(dataDir, "models"),
    clients: [...new Set(client.map(clientName))],
    overrides: { ...overridesOf(set), ...(port === undefined ? {} : { port: portNumber(port) }) },
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
