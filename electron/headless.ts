import { fileURLToPath } from "node:url";
import { runArchiveOrder } from "./archive-command";
import { forkInference } from "./backend/fork-inference";
import { prepareHost } from "./prepare-host";
import { CommandLineError, parseCommandLine, usage } from "./settings/command-line";
import { openConfStore } from "./settings/conf-store";

const embeddedModels = fileURLToPath(new URL("../../../assets/models", import.meta.url));

/** The same host as the desktop app's, in plain Node. The exit code is 2 for a bad command line, 1 for a failed start. */
async function main(): Promise<void> {
  const line = parseCommandLine(process.argv.slice(2));
  if (line.help) return console.log(usage);
  if (line.archive !== null) return await runArchiveOrder(line, line.archive, openConfStore);
  const host = await prepareHost(line, {
    openStore: openConfStore,
    spawn: forkInference,
    models: embeddedModels,
  }).start();
  const { url } = await host.listen().catch((error) => host.close().then(() => Promise.reject(error)));
  console.log(`Simmer listens on ${url} (token in ${line.dataDir}/endpoint.json). Stop it with Ctrl+C.`);
  const stop = () => void host.close().then(() => process.exit(0), fail);
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exit(error instanceof CommandLineError ? 2 : 1);
}

main().catch(fail);
