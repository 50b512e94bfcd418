/** Statistics for the planner of an embedded database, where no background worker gathers them. */
import type { Database } from './driver/sql.ts';

/**
 * Rows written to a table before it is analyzed for the first time; after that at each doubling.
 * Below it any plan is fast.
 */
const FIRST = 400;

/** Counts what this process writes. On a server it does nothing: autovacuum is there. */
export class Statistics {
  readonly #database: Database;
  readonly #tables = new Map<string, { rows: number; next: number }>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * After a commit, so it never fails: what is committed was written. Analyzes the tables that have
   * grown enough.
   */
  async wrote(counts: ReadonlyMap<string, number>): Promise<void> {
    if (!this.#database.isExclusive) return;
    const due: string[] = [];
    for (const [table, rows] of counts) {
      const state = this.#tables.get(table) ?? { rows: 0, next: FIRST };
      state.rows += rows;
      if (state.rows >= state.next) {
        due.push(table);
        state.next = state.rows * 2;
      }
      this.#tables.set(table, state);
    }
    if (due.length === 0) return;
    // A plan that is slow until the next doubling is better than a stored write that is reported as
    // failed.
    await this.#database
      .query('select context_ops.refresh_statistics($1::jsonb)', [JSON.stringify(due)])
      .catch(() => undefined);
  }
}
