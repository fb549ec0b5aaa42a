// Rows of the entry table on their way in, several a statement. Whoever adds them calls `write` before anything else reads them.
import type { Bindable, StoreDatabase } from './store-database.ts';

/** Rows that one statement inserts at most: those of a step with one call. */
const ROWS_AT_ONCE = 6;

/** Inserts 1 to ROWS_AT_ONCE rows: a statement costs about as much as a row. */
const insertSql = Array.from({ length: ROWS_AT_ONCE }, (_, more) => {
  const rows = Array.from({ length: more + 1 }, () => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
  return `INSERT INTO entry (place, session, branch, id, parent, kind, at, payload, hash) VALUES ${rows}`;
});

/** Columns of a row: place, session, branch, id, parent, kind, at, payload, hash. Use it inside one `write` of the database. */
export class EntryRows {
  readonly #database: StoreDatabase;
  #values: Bindable[] = [];
  #rows = 0;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  add(...row: Bindable[]): void {
    this.#values.push(...row);
    this.#rows += 1;
    if (this.#rows === ROWS_AT_ONCE) this.write();
  }

  /** Writes what was added. */
  write(): void {
    const sql = insertSql[this.#rows - 1];
    if (sql !== undefined) this.#database.run(sql, ...this.#values);
    this.#values = [];
    this.#rows = 0;
  }
}
