export type SqlValue = null | number | string;
export type Durability = "synced" | "written";

/**
 * A database as its tables' owner sees it. A failure of the medium throws ProblemError `storage_failed`; any other error
 * of SQLite is a bug and stays as it is.
 */
export interface Connection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  run(sql: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastRow: number };
  /** The first row. The caller says its shape: the tables are `STRICT` and written here only. */
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[];
  /** All of `work` is committed or, when it throws, nothing; `synced` returns when the commit is on the disk. */
  transaction<T>(durability: Durability, work: () => T): T;
  close(): void;
}
