import packageFile from "../package.json" with { type: "json" };
import { ProblemError } from "../shared/problem";
import type { Imported, ImportTarget } from "./archive/import-archive";
import { saysBackedUp, saysExported, saysImported } from "./archive/words";
import { systemClock } from "./engine/clock";
import { newIds } from "./engine/ids";
import { Ledger } from "./engine/ledger";
import type { TaskStore } from "./engine/store";
import { FolderArchive } from "./folder-archive";
import type { ArchiveOrder, CommandLine } from "./settings/command-line";
import { type OpenStore, openSettingsFile } from "./settings/settings-file";
import { FolderDatabase } from "./store/folder-database";
import { SqliteStore } from "./store/sqlite-store";

/**
 * Does what `--backup`, `--export` or `--import` asks for, without serving, and says so in one line: on the standard error
 * output where the standard output is the export itself. A signal stops it, and nothing is left behind.
 */
export async function runArchiveOrder(line: CommandLine, order: ArchiveOrder, openStore: OpenStore): Promise<void> {
  const file = openSettingsFile(line.dataDir, openStore, (text) => console.error(text));
  const archive = new FolderArchive({
    dataDir: line.dataDir,
    version: packageFile.version,
    settings: () => file.read(),
    now: () => systemClock.now(),
  });
  const stop = () => void archive.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const done = await orders[order.kind](archive, order.file, line.dataDir).catch(inPlainWords);
  if (order.file === "-") console.error(done);
  else console.log(done);
}

const orders = {
  backup: async (archive, file) => saysBackedUp(await archive.backUp(file, false), file),
  export: async (archive, file) => {
    if (file === "-") return saysExported(await archive.exportInto(process.stdout), null);
    return saysExported(await archive.exportTo(file, false), file);
  },
  import: async (archive, file, dataDir) => saysImported(await importInto(dataDir, archive, file)),
} as const satisfies Record<
  ArchiveOrder["kind"],
  (archive: FolderArchive, file: string, dataDir: string) => Promise<string>
>;

/** The folder is taken for as long as that lasts: a host is to know of every task that comes. */
async function importInto(dataDir: string, archive: FolderArchive, file: string): Promise<Imported> {
  const folder = new FolderDatabase({
    folder: dataDir,
    onTaken: () => undefined,
    onSetAside: (kept) => console.error(`The tasks that were there are damaged; they are kept as ${kept}.`),
  });
  try {
    const store = new SqliteStore(folder.open());
    return await archive.importFrom(file, targetOf(store)).finally(() => store.close());
  } finally {
    folder.release();
  }
}

function targetOf(store: TaskStore): ImportTarget {
  const ledger = new Ledger(
    store,
    systemClock,
    newIds(() => systemClock.now()),
    (error) => console.error(error),
  );
  ledger.load();
  return {
    adopt: (records) => ledger.adopt(records).length,
    addClient: (client) => {
      if (store.client(client.name) === undefined) store.putClient({ ...client, tokenHash: null });
    },
  };
}

function inPlainWords(error: unknown): never {
  throw error instanceof ProblemError ? new Error(error.problem.detail, { cause: error }) : error;
}
