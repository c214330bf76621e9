import Conf from "conf";
import type { OpenStore } from "./settings-file";

/** The settings file in plain Node: the library under electron-store, which needs Electron. */
export const openConfStore: OpenStore = (folder, parse) =>
  new Conf({
    cwd: folder,
    configName: "settings",
    // A key such as `limits.queue` is a name, not a path.
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
    deserialize: parse,
  });
