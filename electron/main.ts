import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { app, type BrowserWindow, clipboard, dialog, nativeTheme } from "electron";
import packageFile from "../package.json" with { type: "json" };
import type { HostStatus } from "../shared/desktop/feed";
import { type Host, startHost } from "./compose";
import { systemClock } from "./engine/clock";
import { DesktopFace } from "./faces/desktop/desktop-face";
import { parseCommandLine } from "./settings/command-line";
import { openElectronStore } from "./settings/electron-store";
import { openSettingsFile } from "./settings/settings-file";
import { declareAppProtocol, serveAppProtocol } from "./window/app-protocol";
import { ownArguments } from "./window/own-arguments";
import { denyPermissions, openWindow, sendFeed, serveWindow } from "./window/window";

// The order is Electron's: some things must be said before the app is ready, and `whenReady` must not be awaited at
// the top level of this module, which would keep the app from ever becoming ready.
