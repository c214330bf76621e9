import { contextBridge, type IpcRendererEvent, ipcRenderer } from "electron";
import { channels } from "../shared/desktop/channels";
import type { DesktopBridge } from "../shared/desktop/contract";

/** All that a page gets: one call, which the main process checks by the contract, and two things to listen to. */
const bridge: DesktopBridge = {
  call: (name, input) => ipcRenderer.invoke(channels.call, name, input),
  onFeed: (listener) => hear(channels.feed, listener),
  onCommand: (listener) => hear(channels.command, listener),
};

/** Passes on what was said, never the event: it would carry the raw IPC with it. */
function hear<T>(channel: string, listener: (message: T) => void): () => void {
  const pass = (_event: IpcRendererEvent, message: T) => listener(message);
  ipcRenderer.on(channel, pass);
  return () => ipcRenderer.removeListener(channel, pass);
}

contextBridge.exposeInMainWorld("simmer", bridge);
