// One connection to the database, with its prepared statements made at first use. What the tables are is the business of
// the migrations; who may open the file, of open-database.ts. Invariant: every write goes through `write`.
import type BetterSqlite3 from 'better-sqlite3';
import { fromPreparing } from './store-error.ts';

/** A value that SQLite can bind. */
export type Bindable = string | number | null;

export class StoreDatabase {
  /** Absolute path of the database file. */
  readonly file: string;
  readonly connection: BetterSqlite3.Database;
  /** Its log was there before it was opened: whoever had it open last did not close it, or has it open still. */
  wasUnclean = false;
  /** It is in memory alone: nothing of it is ever on a disk. */
  readonly inMemory: boolean;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  /** The connection was opened with FULL. */
  #lax = false;
  #laxWanted = false;
  readonly #transaction: BetterSqlite3.Transaction<(work: () => unknown) => unknown>;

  constructor(file: string, connection: BetterSqlite3.Database) {
    this.file = file;
    this.connection = connection;
    this.inMemory = connection.memory;
    this.#transaction = connection.transaction((work: () => unknown) => work());
  }

  /** The statement of this text, prepared once. `sql` must be one of a fixed number of texts. */
  #statement(sql: string): BetterSqlite3.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #prepare(sql: string): BetterSqlite3.Statement {
    try {
      return this.connection.prepare(sql);
    } catch (error) {
      throw fromPreparing(error, this.file);
    }
  }

  /** The first row, or undefined. Rows have the shape R; STRICT tables guarantee the column types. */
  get<R>(sql: string, ...values: Bindable[]): R | undefined {
    return this.#statement(sql).get(...values) as R | undefined;
  }

  /** All rows. */
  all<R>(sql: string, ...values: Bindable[]): R[] {
    return this.#statement(sql).all(...values) as R[];
  }

  /** Rows one after the other; nothing else may use this connection until the last one was taken. */
  iterate<R>(sql: string, ...values: Bindable[]): IterableIterator<R> {
    return this.#statement(sql).iterate(...values) as IterableIterator<R>;
  }

  /** Changes rows; gives how many. Call it inside `write` where more than one statement belongs together. */
  run(sql: string, ...values: Bindable[]): number {
    return this.#change(sql, values).changes;
  }

  /** Inserts a row; gives its number. */
  insert(sql: string, ...values: Bindable[]): number {
    return Number(this.#change(sql, values).lastInsertRowid);
  }

  #change(sql: string, values: readonly Bindable[]): BetterSqlite3.RunResult {
    // A statement by itself is a commit.
    if (this.#lax && !this.connection.inTransaction) this.#setLax(false);
    return this.#statement(sql).run(...values);
  }

  /** Runs `work` as one transaction that has the write lock from its beginning; a throw undoes all of it. */
  write<T>(work: () => T): T {
    this.#setLax(this.#laxWanted);
    return this.#transaction.immediate(work) as T;
  }

  /** Runs `work`, whose `write` SQLite does not sync: see log-sync.ts for who does. */
  unsynced<T>(work: () => T): T {
    this.#laxWanted = true;
    try {
      return work();
    } finally {
      this.#laxWanted = false;
    }
  }

  /** Said to SQLite only where it changes: a statement for each of many commits in a row costs as much as an entry. */
  #setLax(lax: boolean): void {
    if (lax === this.#lax) return;
    this.#lax = lax;
    this.#statement(lax ? 'PRAGMA synchronous = NORMAL' : 'PRAGMA synchronous = FULL').run();
  }

  /** Runs `work` on one unchanging state of the database. */
  read<T>(work: () => T): T {
    return this.#transaction.deferred(work) as T;
  }

  close(): void {
    this.#statements.clear();
    this.connection.close();
  }
}
