import { serveProcess } from "../serve-process";
import type { ScriptedModel } from "./script";
import { ScriptedBackend } from "./scripted-backend";

/** An inference process for tests: its first argument is the models' scripts as JSON. */
serveProcess(() => new ScriptedBackend({ models: JSON.parse(process.argv[2] ?? "{}"), crash }));

// Keeps the process alive as native threads do: it ends because it decides to, not for want of work.
setInterval(() => undefined, 1_000_000);

function crash(model: ScriptedModel): void {
  if (model.crash === "exit") process.exit(0);
  process.kill(process.pid, model.crash ?? "SIGSEGV");
}
