import { writeSync } from "node:fs";
import { lockFolder } from "./folder-lock";

/** For tests: tries to take the folder of its first argument, says what came of it, and holds it until it is killed. */
const [folder = ""] = process.argv.slice(2);

try {
  const lock = lockFolder(folder);
  writeSync(1, "locked\n");
  // Collected as garbage, it would let the folder go.
  setInterval(() => lock, 60_000);
} catch (error) {
  writeSync(1, `${error}\n`);
}
