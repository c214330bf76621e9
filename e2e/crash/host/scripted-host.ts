import { forkInference } from "../../../electron/backend/fork-inference";
import { prepareHost } from "../../../electron/prepare-host";
import { parseCommandLine } from "../../../electron/settings/command-line";
import { openConfStore } from "../../../electron/settings/conf-store";
import { seatPerson } from "./person";

/**
 * The product's host with its command line, its endpoint and its inference in a process of its own; only the models are
 * scripted, which costs a tenth of the start of llama.cpp, and a person sits at the desk.
 */
async function main(): Promise<void> {
  const line = parseCommandLine(process.argv.slice(2));
  const host = await prepareHost(line, {
    openStore: openConfStore,
    spawn: (log) => forkInference(log, new URL("./inference.cjs", import.meta.url)),
    models: line.modelsDir,
  }).start();
  seatPerson(host.service);
  process.on("SIGTERM", () => void host.close().then(() => process.exit(0)));
  await host.listen();
}

void main();
