import { join } from "node:path";
import { app, type BrowserWindow, dialog, Menu } from "electron";
import { ProblemError } from "../../shared/problem";
import { saysBackedUp, saysExported, saysImported } from "../archive/words";
import type { HostArchive } from "../host-archive";

const database = { name: "Database", extensions: ["db"] };
const lines = { name: "JSON lines", extensions: ["jsonl"] };

/** The menu's items for all tasks at once, by their ids. */
export const archiveItems = ["back-up", "export", "import"] as const;
export type ArchiveItem = (typeof archiveItems)[number];

/** Each asks for a file, works beside everything else, one at a time, and says what came of it. */
export function archiveCommands(
  window: () => BrowserWindow,
  archive: HostArchive,
  onBug: (error: unknown) => void,
): Readonly<Record<ArchiveItem, () => void>> {
  const run = (work: () => Promise<string | undefined>) => () => void carryOut(window, work, onBug);
  return {
    "back-up": run(async () => {
      const path = await askWhereTo(window(), "Back up", database);
      return path && saysBackedUp(await archive.backUp(path), path);
    }),
    export: run(async () => {
      const path = await askWhereTo(window(), "Export everything", lines);
      return path && saysExported(await archive.exportTo(path), path);
    }),
    import: run(async () => {
      const { filePaths } = await dialog.showOpenDialog(window(), {
        title: "Import",
        filters: [lines],
        properties: ["openFile"],
      });
      const [path] = filePaths;
      return path && saysImported(await archive.importFrom(path));
    }),
  };
}

/** The dialog itself asks before a file is replaced. */
async function askWhereTo(window: BrowserWindow, title: string, filter: typeof lines): Promise<string> {
  const name = `simmer-${new Date().toISOString().slice(0, 10)}.${filter.extensions[0]}`;
  const defaultPath = join(app.getPath("documents"), name);
  return (await dialog.showSaveDialog(window, { title, defaultPath, filters: [filter] })).filePath;
}

async function carryOut(
  window: () => BrowserWindow,
  work: () => Promise<string | undefined>,
  onBug: (error: unknown) => void,
): Promise<void> {
  setBusy(window(), true);
  const told = await work().then(
    (done) => done && { type: "info" as const, message: done },
    (error) => {
      if (!(error instanceof ProblemError)) onBug(error);
      return { type: "error" as const, message: "That did not work.", detail: reasonOf(error) };
    },
  );
  setBusy(window(), false);
  if (told) await dialog.showMessageBox(window(), { ...told, title: "Simmer" });
}

function setBusy(window: BrowserWindow, busy: boolean): void {
  window.setProgressBar(busy ? 2 : -1); // more than 1 is "under way" without a measure
  for (const id of archiveItems) {
    const item = Menu.getApplicationMenu()?.getMenuItemById(id);
    if (item) item.enabled = !busy;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ProblemError ? error.problem.detail : "Simmer's log says more.";
}
