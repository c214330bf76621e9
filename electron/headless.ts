import { fileURLToPath } from "node:url";
import { pino } from "pino";
import packageFile from "../package.json" with { type: "json" };
import { forkInference } from "./backend/fork-inference";
import { ProcessBackend } from "./backend/process-host";
import { type Host, startHost } from "./compose";
import { effectiveSettings } from "./settings/check-setting";
import { type CommandLine, CommandLineError, parseCommandLine, usage } from "./settings/command-line";
import { openConfStore } from "./settings/conf-store";
import { openSettingsFile } from "./settings/settings-file";

const embeddedModels = fileURLToPath(new URL("../../../assets/models", import.meta.url));

/** The same host as the desktop app's, in plain Node. The exit code is 2 for a bad command line, 1 for a failed start. */
async function main(): Promise<void> {
  const line = parseCommandLine(process.argv.slice(2));
  if (line.help) return console.log(usage);
  const host = await start(line);
  const { url } = await host.listen().catch((error) => host.close().then(() => Promise.reject(error)));
  console.log(`Simmer listens on ${url} (token in ${line.dataDir}/endpoint.json). Stop it with Ctrl+C.`);
  const stop = () => void host.close().then(() => process.exit(0), fail);
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function start(line: CommandLine): Promise<Host> {
  const log = pino({ level: "warn" }, pino.destination({ dest: 2, sync: true }));
  const file = openSettingsFile(line.dataDir, openConfStore, (text) => log.warn(text));
  const settings = effectiveSettings(file.read(), line.overrides);
  return startHost({
    dataDir: line.dataDir,
    modelFolders: { embedded: embeddedModels, user: line.modelsDir },
    clients: line.clients,
    settings,
    version: packageFile.version,
    log,
    backend: new ProcessBackend(forkInference(log), { cancelBound: settings["engine.cancel_bound"], log }),
  });
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exit(error instanceof CommandLineError ? 2 : 1);
}

main().catch(fail);
