import type { Logger } from "pino";
import packageFile from "../package.json" with { type: "json" };
import type { Settings } from "../shared/settings";
import { AsideFile } from "./backend/aside-file";
import type { InferenceProcess } from "./backend/inference-process";
import type { Log } from "./backend/log";
import { ProcessBackend, type ProcessBackendOptions } from "./backend/process-host";
import { ProcessRecord } from "./backend/process-record";
import { type Host, type HostOptions, startHost } from "./compose";
import { openHostLog } from "./host-log";
import { keepPrivate } from "./keep-private";
import { effectiveSettings } from "./settings/check-setting";
import type { CommandLine } from "./settings/command-line";
import { type OpenStore, openSettingsFile, type SettingsFile } from "./settings/settings-file";

/** What differs between the kinds of process that a host lives in. */
export interface Surroundings {
  readonly openStore: OpenStore;
  readonly spawn: (log: Log) => () => InferenceProcess;
  /** The folder of the models that come along. */
  readonly models: string;
}

export interface PreparedHost {
  readonly log: Logger;
  readonly file: SettingsFile;
  readonly settings: Settings;
  /** What was wrong with the settings file, in sentences. */
  readonly warnings: readonly string[];
  /** See `startHost` for what it throws. */
  start(watch?: Watch): Promise<Host>;
}

/** Who wants to hear how the host is. */
type Watch = Pick<ProcessBackendOptions, "onTrouble" | "onLoaded"> & Pick<HostOptions, "onStorage" | "onWarning">;

/** A host by its command line and its settings file; the desktop app and plain Node start it alike. */
export function prepareHost(line: CommandLine, { openStore, spawn, models }: Surroundings): PreparedHost {
  keepPrivate(line.dataDir);
  outliveFileLimits();
  // How to log is a setting: what is said of the settings waits for the log.
  const warnings: string[] = [];
  let warn = (text: string): void => void warnings.push(text);
  const file = openSettingsFile(line.dataDir, openStore, (text) => warn(text));
  const settings = effectiveSettings(file.read(), line.overrides);
  const { log, close: closeLog } = openHostLog(line.dataDir, settings);
  warn = (text) => log.warn(text);
  warnings.forEach(warn);
  return {
    log,
    file,
    settings,
    warnings,
    async start({ onStorage, onWarning, ...watch } = {}) {
      const backend = new ProcessBackend(spawn(log), {
        cancelBound: settings["engine.cancel_bound"],
        hangBound: settings["engine.hang_bound"],
        record: new ProcessRecord(line.dataDir, log),
        aside: new AsideFile(line.dataDir, log),
        log,
        ...watch,
      });
      const host = await startHost({
        dataDir: line.dataDir,
        modelFolders: { embedded: models, user: line.modelsDir },
        clients: line.clients,
        settings,
        keptSettings: () => file.read(),
        version: packageFile.version,
        log,
        backend,
        aside: backend.aside,
        ...(onStorage === undefined ? {} : { onStorage }),
        ...(onWarning === undefined ? {} : { onWarning }),
      });
      return { ...host, close: () => host.close().finally(closeLog) };
    },
  };
}

/**
 * A limit on the size of files (`ulimit -f`) is met like a disk that is full: by the write that fails. The system's signal
 * says nothing more, and a library of the settings file would end the process with it.
 */
function outliveFileLimits(): void {
  process.on("SIGXFSZ", () => undefined);
}
