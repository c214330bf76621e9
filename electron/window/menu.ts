import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from "electron";
import { channels } from "../../shared/desktop/channels";

/** The native menu. Its own commands go to the page, which knows what is open. */
export function setMenu(window: () => BrowserWindow): void {
  const tell = (command: string) => () => window().webContents.send(channels.command, command);
  const file: MenuItemConstructorOptions = {
    label: "&File",
    submenu: [
      { label: "New task", accelerator: "CmdOrCtrl+N", click: tell("new-task") },
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
