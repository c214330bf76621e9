import { chmodSync } from "node:fs";
import { join } from "node:path";

/** What tells of tasks. SQLite makes its files as the umask says, and whoever made these may have had another one. */
const telling = ["simmer.db", "simmer.db-wal", "simmer.db-shm", "audit.log"];

/** From here on whatever this process and its children make is their owner's alone, and so is what is known of tasks in `folder`. */
export function keepPrivate(folder: string): void {
  process.umask(0o077);
  for (const name of telling) {
    try {
      chmodSync(join(folder, name), 0o600);
    } catch {
      // It is not there yet; one that belongs to somebody else cannot be opened either, which is said there.
    }
  }
}
