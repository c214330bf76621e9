import { writeSync } from "node:fs";
import { serveProcess } from "../serve-process";
import type { ScriptedModel } from "./script";
import { ScriptedBackend } from "./scripted-backend";

/** An inference process for tests: its first argument is the models' scripts as JSON. */
serveProcess(() => new ScriptedBackend({ models: JSON.parse(process.argv[2] ?? "{}"), crash }));

// Keeps the process alive as native threads do: it ends because it decides to, not for want of work.
setInterval(() => undefined, 1_000_000);

function crash(model: ScriptedModel): void {
  const how = model.crash ?? "SIGSEGV";
  if (how === "exit") process.exit(0);
  if (how === "busy") for (;;);
  // The words of the C++ library when nobody catches that there is no memory, and how it then ends.
  if (how === "memory") writeSync(2, "terminate called after throwing an instance of 'std::bad_alloc'\n");
  process.kill(process.pid, how === "memory" ? "SIGABRT" : how);
}
