// What Electron's own default app does, for a copy that comes without it: loads the app whose folder argv names.
// An awaited import, so that `ready` waits for the app's first turn.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { app } from "electron";

const folder = resolve(process.argv.slice(1).find((argument) => !argument.startsWith("-")) ?? ".");
const { main, name, productName, version } = createRequire(import.meta.url)(join(folder, "package.json"));
app.setAppPath(folder);
app.setName(productName ?? name);
app.setVersion(version);
await import(pathToFileURL(join(folder, main)).href);
