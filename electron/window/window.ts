import { BrowserWindow, type IpcMainInvokeEvent, ipcMain, nativeTheme } from "electron";
import { channels } from "../../shared/desktop/channels";
import type { CallName } from "../../shared/desktop/contract";
import type { Feed } from "../../shared/desktop/feed";
import type { Handlers } from "../faces/desktop/desktop-face";
import { appOrigin } from "./app-protocol";
import { answerCall } from "./serve-calls";

const backgrounds = { light: "#fbfbfa", dark: "#1b1b1a" } as const;

/** The one window. Sandboxed, isolated, and tied to our own pages: it can neither leave them nor ask for permissions. */
export function openWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 640,
    minHeight: 400,
    show: false,
    title: "Simmer",
    backgroundColor: backgrounds[nativeTheme.shouldUseDarkColors ? "dark" : "light"],
    webPreferences: { preload, sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  });
  window.once("ready-to-show", () => window.show());
  loadPage(window);
  return window;
}

export function loadPage(window: BrowserWindow): void {
  if (!window.isDestroyed()) void window.loadURL(`${appOrigin}/index.html`);
}

/** Answers the window's calls; those of any other page or frame are refused before they are looked at. */
export function serveWindow(
  current: () => BrowserWindow | undefined,
  handlers: Handlers<CallName>,
  onBug: (error: unknown) => void,
): void {
  ipcMain.handle(channels.call, (event, name: unknown, input: unknown) => {
    if (!isOwnMainFrame(event, current())) throw new Error("Only Simmer's own window may call");
    return answerCall(handlers, name, input, onBug);
  });
}

export function sendFeed(window: BrowserWindow | undefined, feed: Feed): void {
  if (window !== undefined && !window.isDestroyed()) window.webContents.send(channels.feed, feed);
}

export function isOwnMainFrame(event: IpcMainInvokeEvent, window: BrowserWindow | undefined): boolean {
  return (
    window !== undefined &&
    !window.isDestroyed() &&
    event.senderFrame === window.webContents.mainFrame &&
    event.senderFrame.url.startsWith(`${appOrigin}/`)
  );
}
