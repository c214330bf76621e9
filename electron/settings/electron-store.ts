import Store from "electron-store";
import type { OpenStore } from "./settings-file";

/** The settings file in the desktop app; the headless host uses the library under this one on the same file. */
export const openElectronStore: OpenStore = (folder, parse) =>
  new Store({
    cwd: folder,
    name: "settings",
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
    deserialize: parse,
  });
