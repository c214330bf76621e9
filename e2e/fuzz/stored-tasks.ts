import { join } from "node:path";
import { Database } from "../../electron/store/database";

export interface UnfinishedTask {
  readonly id: string;
  readonly client: string;
  readonly status: string;
  readonly listed: boolean;
}

/** What a host has stored, read beside it: hidden tasks too, which no protocol shows. */
export class StoredTasks {
  readonly #database: Database;

  constructor(dataDir: string) {
    this.#database = new Database(join(dataDir, "simmer.db"), { timeout: 5_000, readOnly: true });
  }

  unfinished(): UnfinishedTask[] {
    const rows = this.#database.all<Omit<UnfinishedTask, "listed"> & { readonly listed: number }>(
      "SELECT id, client, status, listed FROM tasks WHERE ended_at IS NULL",
    );
    return rows.map(({ listed, ...rest }) => ({ ...rest, listed: listed === 1 }));
  }

  newest(client: string): readonly { readonly id: string }[] {
    return this.#database.all("SELECT id FROM tasks WHERE client = ? ORDER BY row DESC LIMIT 8", client);
  }

  count(): number {
    return this.#database.get<{ readonly count: number }>("SELECT count(*) AS count FROM tasks")?.count ?? 0;
  }

  /** Ids and outcomes of the tasks that failed with one of these codes. */
  failedWith(codes: readonly string[]): string[] {
    const wanted = codes.map((code) => `%"code":"${code}"%`);
    const where = wanted.map(() => "outcome LIKE ?").join(" OR ");
    const sql = `SELECT id, outcome FROM tasks WHERE status = 'failed' AND (${where})`;
    const rows = this.#database.all<{ readonly id: string; readonly outcome: string }>(sql, ...wanted);
    return rows.map(({ id, outcome }) => `${id}: ${outcome}`);
  }

  close(): void {
    this.#database.close();
  }
}
