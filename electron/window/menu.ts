import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from "electron";
import { channels } from "../../shared/desktop/channels";
import type { ArchiveItem } from "./archive-commands";

/** The native menu. Its own commands go to the page, which knows what is open; `archive` is what it does by itself. */
export function setMenu(window: () => BrowserWindow, archive: Readonly<Record<ArchiveItem, () => void>>): void {
  const tell = (command: string) => () => window().webContents.send(channels.command, command);
  const file: MenuItemConstructorOptions = {
    label: "&File",
    submenu: [
      { label: "New task", accelerator: "CmdOrCtrl+N", click: tell("new-task") },
      { type: "separator" },
      { id: "back-up", label: "&Back up…", click: archive["back-up"] },
      { id: "export", label: "&Export everything…", click: archive.export },
      { id: "import", label: "&Import…", click: archive.import },
      { type: "separator" },
      { role: process.platform === "darwin" ? "close" : "quit" },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: "&View",
    submenu: [
      { role: "resetZoom" },
      { role: "zoomIn" },
      { role: "zoomOut" },
      { type: "separator" },
      { role: "togglefullscreen" },
    ],
  };
  const app: MenuItemConstructorOptions[] = process.platform === "darwin" ? [{ role: "appMenu" }] : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...app, file, { role: "editMenu" }, view, { role: "windowMenu" }]));
}
