import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { app, dialog } from "electron";
import { Desktop } from "./desktop";
import { CommandLineError, parseCommandLine } from "./settings/command-line";
import { declareAppProtocol } from "./window/app-protocol";
import { ownArguments } from "./window/own-arguments";

const places = {
  preload: fileURLToPath(new URL("./preload.cjs", import.meta.url)),
  renderer: fileURLToPath(new URL("../renderer", import.meta.url)),
  // llama.cpp cannot look into the archive that the rest of a packaged app lies in.
  models: app.isPackaged
    ? join(process.resourcesPath, "models")
    : fileURLToPath(new URL("../../../assets/models", import.meta.url)),
};

/**
 * The order is Electron's: some things must be said before the app is ready, and readiness must not be awaited at the
 * top level of this module, which would keep the app from ever becoming ready.
 */
function main(): void {
  if (app.isPackaged) refuseDebuggers();
  const line = parseCommandLine(ownArguments(process.argv));
  app.setPath("userData", line.dataDir);
  if (!app.requestSingleInstanceLock()) {
    console.error("Simmer runs already: its window is shown.");
    app.exit(0);
    return;
  }
  declareAppProtocol();
  void app
    .whenReady()
    .then(async () => {
      const desktop = await Desktop.start(line, places);
      app.on("second-instance", () => desktop.show());
      app.on("activate", () => desktop.show());
      app.on("window-all-closed", () => app.quit());
      app.on("before-quit", (event) => {
        event.preventDefault();
        void desktop.close().finally(() => app.exit(0));
      });
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => app.quit());
    }, fail)
    .catch(fail);
}

/** Whoever can attach to the window can use it in the person's name. Node's own debugger is off by a fuse. */
function refuseDebuggers(): void {
  for (const name of ["remote-debugging-port", "remote-debugging-pipe"]) app.commandLine.removeSwitch(name);
}

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  console.error(text);
  // Whoever started it from a terminal has read it there.
  if (app.isPackaged && app.isReady()) dialog.showErrorBox("Simmer cannot start", text);
  app.exit(error instanceof CommandLineError ? 2 : 1);
}

try {
  main();
} catch (error) {
  fail(error);
}
