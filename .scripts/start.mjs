// Starts the app; where there is no display, the same host without a window.
import { spawn } from "node:child_process";
import { ensureBuilt } from "./built.mjs";
import { hasDisplay } from "./electron/display.mjs";
import { electronCommand } from "./electron/launch.mjs";
import { root } from "./root.mjs";

if (process.argv.includes("--help")) await import("./headless.mjs");
else if (hasDisplay()) await openWindow();
else {
  console.error("There is no display here, so Simmer serves without a window.");
  await import("./headless.mjs");
}

async function openWindow() {
  await ensureBuilt();
  const { binary, flags } = await electronCommand({ forTests: false });
  const app = spawn(binary, [root, ...flags, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => app.kill(signal));
  app.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
