import { ScriptedBackend } from "../../../electron/backend/scripted/scripted-backend";
import { serveProcess } from "../../../electron/backend/serve-process";
import { scripts } from "./scripts";

/** The inference process of a scripted host. */
serveProcess(() => new ScriptedBackend({ models: scripts }));

// Keeps the process alive as native threads do: it ends because it decides to, not for want of work.
setInterval(() => undefined, 1_000_000);
