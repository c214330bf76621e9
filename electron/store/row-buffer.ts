import type { Connection, SqlValue } from "./connection";

const columns = {
  inputs: ["task", "input"],
  changes: ["task", "from_status", "to_status", "at", "attempt", "rev", "reason"],
  events: ["task", "seq", "rev", "at", "body"],
} as const;

type Table = keyof typeof columns;

/**
 * The rows that come with the new tasks of a transaction wait here to be written together: a call of the driver costs far
 * more than a row, so those of many tasks go in one statement per table. Only what cannot be refused may wait: the first
 * row of a new task in each table. Whoever reads or changes these tables flushes first.
 */
export class RowBuffer {
  readonly #database: Connection;
  readonly #rows = new Map<Table, SqlValue[][]>();
  /** The tables that have no row yet of each new task. */
  readonly #new = new Map<string, Set<Table>>();

  constructor(database: Connection) {
    this.#database = database;
  }

  /** The task was made in this transaction. */
  expect(task: string): void {
    this.#new.set(task, new Set(["inputs", "changes", "events"]));
  }

  /** Writes a row of `task`, now or together with others; `values` in the order of the table's columns. */
  add(table: Table, task: string, values: SqlValue[]): void {
    const isFirst = this.#new.get(task)?.delete(table) === true;
    if (isFirst && !values.some(isLarge)) this.wait(table, values);
    else this.#writeNow(table, values);
  }

  /** Writes a row that cannot be refused, together with others. */
  wait(table: Table, values: SqlValue[]): void {
    const rows = this.#rows.get(table);
    if (rows === undefined) this.#rows.set(table, [values]);
    else rows.push(values);
  }

  flush(): void {
    if (this.#rows.size === 0) return;
    const waiting = [...this.#rows];
    this.#rows.clear();
    for (const [table, rows] of waiting) {
      const [first = []] = rows;
      if (rows.length === 1) this.#writeNow(table, first);
      else this.#writeTogether(table, rows);
    }
  }

  /** The transaction is over, whichever way. */
  forget(): void {
    this.#rows.clear();
    this.#new.clear();
  }

  #writeNow(table: Table, values: readonly SqlValue[]): void {
    this.flush();
    const marks = columns[table].map(() => "?").join(", ");
    this.#database.run(`INSERT INTO ${table} (${columns[table].join(", ")}) VALUES (${marks})`, ...values);
  }

  #writeTogether(table: Table, rows: readonly SqlValue[][]): void {
    const names = columns[table];
    const values = names.map((_, index) => `value ->> ${index}`).join(", ");
    const sql = `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values} FROM json_each(?) ORDER BY key`;
    this.#database.run(sql, JSON.stringify(rows));
  }
}

/** To quote a large text once more would cost more than a call of the driver. */
function isLarge(value: SqlValue): boolean {
  return typeof value === "string" && value.length > 16_384;
}
