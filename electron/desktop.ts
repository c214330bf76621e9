import { type BrowserWindow, clipboard, nativeTheme } from "electron";
import type { Logger } from "pino";
import packageFile from "../package.json" with { type: "json" };
import type { CallName } from "../shared/desktop/contract";
import type { HostStatus } from "../shared/desktop/feed";
import { forkUtility } from "./backend/fork-utility";
import type { Host } from "./compose";
import { systemClock } from "./engine/clock";
import { clientCalls } from "./faces/desktop/client-calls";
import { DesktopFace, type Handlers, type WindowCalls } from "./faces/desktop/desktop-face";
import { prepareHost } from "./prepare-host";
import type { CommandLine } from "./settings/command-line";
import { openElectronStore } from "./settings/electron-store";
import type { SettingsFile } from "./settings/settings-file";
import { serveAppProtocol } from "./window/app-protocol";
import { archiveCommands } from "./window/archive-commands";
import { denyAll } from "./window/deny";
import { setMenu } from "./window/menu";
import { loadPage, openWindow, sendFeed, serveWindow } from "./window/window";

export interface Places {
  readonly preload: string;
  readonly renderer: string;
  readonly models: string;
}

/** The app: the host, one window on it, and what both tell each other. Created once Electron is ready. */
export class Desktop {
  readonly #host: Host;
  readonly #face: DesktopFace;
  readonly #places: Places;
  #window: BrowserWindow | undefined;

  static async start(line: CommandLine, places: Places): Promise<Desktop> {
    const { log, file, settings, warnings, start } = prepareHost(line, {
      openStore: openElectronStore,
      spawn: forkUtility,
      models: places.models,
    });
    nativeTheme.themeSource = settings["window.theme"];
    const status = new Status(warnings);
    const host = await start({
      onTrouble: (inferenceProblem) => status.set({ inferenceProblem }),
      onLoaded: (loadedModels) => status.set({ loadedModels }),
      onStorage: (storage) => status.set({ storage }),
      onWarning: (warning) => status.warn(warning),
    });
    await listen(host, status, log);
    return new Desktop(host, places, status, file, log);
  }

  private constructor(host: Host, places: Places, status: Status, file: SettingsFile, log: Logger) {
    this.#host = host;
    this.#places = places;
    this.#face = new DesktopFace({
      service: host.service,
      clock: systemClock,
      host: () => status.current,
      send: (feed) => sendFeed(this.#window, feed),
    });
    status.onChange = () => this.#face.tellHost();
    denyAll();
    serveAppProtocol(places.renderer);
    const handlers: Handlers<CallName> = {
      ...this.#face.handlers,
      ...clientCalls(host.clients),
      ...windowCalls(file),
    };
    serveWindow(
      () => this.#window,
      handlers,
      (error) => log.error(error, "a call of the window failed"),
    );
    setMenu(
      () => this.show(),
      archiveCommands(
        () => this.show(),
        host.archive,
        (error) => log.error(error, "a command of the menu failed"),
      ),
    );
    this.show();
  }

  /** Brings the window to the front, and opens it when there is none. */
  show(): BrowserWindow {
    this.#window ??= this.#open();
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.focus();
    return this.#window;
  }

  async close(): Promise<void> {
    this.#face.close();
    await this.#host.close();
  }

  #open(): BrowserWindow {
    const window = openWindow(this.#places.preload);
    window.on("closed", () => {
      this.#window = undefined;
    });
    // A crashed page is loaded again: the store has everything that it showed.
    window.webContents.on("render-process-gone", (_event, { reason }) => {
      if (reason !== "clean-exit") setImmediate(() => loadPage(window));
    });
    return window;
  }
}

/** What the status bar says of the host. */
class Status {
  #current: HostStatus;
  onChange: () => void = () => undefined;

  constructor(warnings: readonly string[]) {
    const { version } = packageFile;
    const well = { endpointProblem: null, inferenceProblem: null, storage: null };
    this.#current = { url: null, version, loadedModels: [], warnings, ...well };
  }

  get current(): HostStatus {
    return this.#current;
  }

  set(change: Partial<HostStatus>): void {
    this.#current = { ...this.#current, ...change };
    this.onChange();
  }

  warn(warning: string): void {
    this.set({ warnings: [...this.#current.warnings, warning] });
  }
}

/** The window is of use without the endpoint, so a port that cannot be had is a red state and not the end. */
async function listen(host: Host, status: Status, log: Logger): Promise<void> {
  try {
    status.set({ url: (await host.listen()).url });
  } catch (error) {
    log.error(error, "the endpoint could not be opened");
    status.set({ endpointProblem: error instanceof Error ? error.message : String(error) });
  }
}

function windowCalls(file: SettingsFile): Handlers<WindowCalls> {
  return {
    preferences: () => ({ theme: nativeTheme.themeSource }),
    setPreferences: ({ theme }) => {
      nativeTheme.themeSource = theme;
      file.write("window.theme", theme);
      return null;
    },
    copy: ({ text }) => {
      clipboard.writeText(text);
      return null;
    },
  };
}
