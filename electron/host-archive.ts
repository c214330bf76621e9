import { desktopClient } from "../shared/client-name";
import type { Imported } from "./archive/import-archive";
import type { Clients } from "./clients";
import type { Audit, AuditAction } from "./engine/audit";
import type { Ledger } from "./engine/ledger";
import type { FolderArchive } from "./folder-archive";

/** What the person at the window does with all tasks at once, while the host serves them. */
export interface HostArchive {
  /** Replaces what is at `path`; returns how many tasks were copied. */
  backUp(path: string): Promise<number>;
  /** Replaces what is at `path`; returns how many tasks were written. */
  exportTo(path: string): Promise<number>;
  importFrom(path: string): Promise<Imported>;
}

export function hostArchive(
  folder: FolderArchive,
  { ledger, clients, audit }: { readonly ledger: Ledger; readonly clients: Clients; readonly audit: Audit },
): HostArchive {
  const audited = async <T>(action: AuditAction, work: Promise<T>): Promise<T> => {
    const done = await work;
    audit({ action, client: desktopClient });
    return done;
  };
  const target = {
    adopt: (records: Parameters<Ledger["adopt"]>[0]) => ledger.adopt(records).length,
    addClient: clients.add,
  };
  return {
    backUp: (path) => audited("backed_up", folder.backUp(path, true)),
    exportTo: (path) => audited("exported", folder.exportTo(path, true)),
    importFrom: (path) => audited("imported", folder.importFrom(path, target)),
  };
}
