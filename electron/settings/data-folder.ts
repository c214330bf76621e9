import { homedir } from "node:os";
import { posix, win32 } from "node:path";

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const thisMachine = (): Machine => ({ platform: process.platform, env: process.env, home: homedir() });

/** Where the desktop app keeps its data, so that a headless host serves the same tasks. */
export function defaultDataFolder({ platform, env, home }: Machine = thisMachine()): string {
  if (platform === "win32") return win32.join(env.APPDATA || win32.join(home, "AppData", "Roaming"), "simmer");
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "simmer");
  // Electron follows this variable too.
  return posix.join(env.XDG_CONFIG_HOME || posix.join(home, ".config"), "simmer");
}
