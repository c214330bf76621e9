import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What Electron and its tests need of a Linux system, and the packages of Debian and Ubuntu that bring it. */
const needs = [
  { library: "libgtk-3.so.0", packages: ["libgtk-3-0t64", "libgtk-3-0"] },
  { library: "libnss3.so", packages: ["libnss3"] },
  { library: "libgbm.so.1", packages: ["libgbm1"] },
  { library: "libasound.so.2", packages: ["libasound2t64", "libasound2"] },
  { command: "Xvfb", packages: ["xvfb"] },
  { command: "fc-list", packages: ["fontconfig"] },
  { font: ":lang=zh", packages: ["fonts-wqy-microhei"] },
];

/** Something that the system has to bring, and this user may not install. `command` does it. */
export class MissingFromSystemError extends Error {
  constructor(what, command) {
    super(`Electron needs ${what} of this system. Run: ${command}`);
    this.command = command;
  }
}

/**
 * Installs what is missing when it may (as root, with apt); otherwise throws MissingFromSystemError.
 * `forTests` includes a display and a font that only the tests need.
 */
export async function ensureSystem(binary, { forTests }) {
  if (process.platform !== "linux") return;
  const missing = await missingNeeds(binary, forTests);
  if (missing.length === 0) return;
  const packages = await Promise.all(missing.map(availablePackage));
  const command = `apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  if (process.getuid() !== 0 || !(await works("apt-get", ["--version"]))) {
    throw new MissingFromSystemError(missing.map(named).join(", "), `sudo ${command}`);
  }
  console.error(`Installing for Electron: ${packages.join(" ")}`);
  await run("apt-get", ["update"]);
  await run("sh", ["-c", command], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}

async function missingNeeds(binary, forTests) {
  const { stdout } = await run("ldd", [binary]);
  const found = await Promise.all(
    needs.map(async ({ library, command, font }) => {
      if (library) return !new RegExp(`${library.replaceAll(".", "\\.")} => not found`).test(stdout);
      if (!forTests) return true;
      return command ? works("sh", ["-c", `command -v ${command}`]) : hasFont(font);
    }),
  );
  return needs.filter((_, index) => !found[index]);
}

async function hasFont(pattern) {
  try {
    return (await run("fc-list", [pattern])).stdout.trim() !== "";
  } catch {
    return false; // without fontconfig there are no fonts either
  }
}

/** Newer systems name some packages differently; the first that this one knows. */
async function availablePackage({ packages }) {
  for (const name of packages) if (await works("apt-cache", ["show", name])) return name;
  return packages.at(-1);
}

async function works(command, args) {
  try {
    await run(command, args);
    return true;
  } catch {
    return false; // not there, or it says no
  }
}

function named({ library, command }) {
  return library ?? command ?? "a font with Chinese characters";
}
