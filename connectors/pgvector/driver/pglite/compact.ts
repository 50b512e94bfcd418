/**
 * The files of an embedded folder without what was overwritten. VACUUM leaves the old rows in the
 * files and the log; VACUUM FULL writes the tables anew, after the planner's statistics, which hold
 * values of the rows, were taken again. The log is switched away from what it held, three times
 * with
 * filler, until no file has a copy (measured).
 */
import type { OwnerDatabase } from '../sql.ts';

/** One segment of the log, in bytes. */
const SEGMENT = 16 * 1024 * 1024;
const SWITCHES = 3;

export async function compactPglite(owner: OwnerDatabase): Promise<void> {
  await owner.query('analyze');
  await owner.query('vacuum full');
  await owner.query('checkpoint');
  for (let turn = 0; turn < SWITCHES; turn += 1) {
    await owner.query(
      "select pg_logical_emit_message(false, 'contextengine', repeat('0', $1::integer)), " +
        'pg_switch_wal()',
      [SEGMENT],
    );
    await owner.query('checkpoint');
  }
}
