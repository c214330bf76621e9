// Runs the host in this very process, so that its signals, its exit code and its process id are the host's own.
import { ensureBuilt } from "./built.mjs";

await ensureBuilt();
await import(new URL("../dist/app/electron/headless.js", import.meta.url).href);
