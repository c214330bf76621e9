import { expect, test } from "vitest";
import { defaultDataFolder } from "./data-folder";

test.each([
  ["linux", {}, "/home/ada", "/home/ada/.config/simmer"],
  ["linux", { XDG_CONFIG_HOME: "/data/config" }, "/home/ada", "/data/config/simmer"],
  ["darwin", {}, "/Users/ada", "/Users/ada/Library/Application Support/simmer"],
  [
    "win32",
    { APPDATA: "C:\\Users\\ada\\AppData\\Roaming" },
    "C:\\Users\\ada",
    "C:\\Users\\ada\\AppData\\Roaming\\simmer",
  ],
  ["win32", {}, "C:\\Users\\ada", "C:\\Users\\ada\\AppData\\Roaming\\simmer"],
] as const)("on %s with %o the data is where the desktop app keeps it", (platform, env, home, expected) => {
  expect(defaultDataFolder({ platform, env, home })).toBe(expected);
});
