/** What every row of a scope's history must be by itself and beside its other versions. */
import type { AnyRow, Cause, LinkRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import { brokenHistory, type IndexedHistory, typedKeyOf } from './indexed-history.ts';

/** Causes that a write of this version leaves; redaction is the eraser's. */
const CAUSES: readonly (Cause | null)[] = ['change', 'merge', 'correction', 'prune', 'cascade'];

export function checkRows(history: IndexedHistory): void {
  for (const { row } of history.rows) {
    if (row.scope_uuid !== history.scope)
      throw brokenHistory(
        `the row \`${row.uuid}\` is of scope \`${row.scope_uuid}\``,
        'scope_uuid',
      );
  }
  for (const entry of history.rows) {
    checkVersion(entry, history.head);
    if (entry.table === 'context_links') checkLink(entry.row, history);
  }
  for (const root of history.roots()) checkRoot(history.versionsOf(root), root, history);
  const own = history.byUuid.get(history.scope);
  if (own?.table !== 'blocks' || !own.row.is_scope || own.row.root_uuid !== history.scope)
    throw brokenHistory(`the block of the scope \`${history.scope}\` is missing`);
}

/** Columns that are set once, and together. */
function checkVersion({ row }: AnyRow, head: number): void {
  const { closed_seq: closed, retired_seq: retired, recorded_seq: recorded, cause } = row;
  const broken = (what: string): Error => brokenHistory(`the row \`${row.uuid}\` ${what}`);
  if (row.status !== 'live') throw broken(`has the status \`${row.status}\``);
  if (row.operation === 'NOOP') throw broken('was made by a `NOOP`');
  if (recorded < 1 || recorded > head)
    throw broken(`is recorded at \`${recorded}\` of \`${head}\``);
  if (closed !== null && (closed <= recorded || closed > head || row.valid_until === null))
    throw broken(`is closed at \`${closed}\`, recorded at \`${recorded}\``);
  if (retired !== null && (retired < Math.max(recorded, closed ?? 0) || retired > head))
    throw broken(`is retired at \`${retired}\`, recorded at \`${recorded}\``);
  if (row.valid_until !== null && row.valid_until <= row.valid_from)
    throw broken(`ends at \`${row.valid_until}\`, and begins at \`${row.valid_from}\``);
  const isSettled = closed !== null || retired !== null;
  const isSound = retired === null ? cause === (closed === null ? null : 'change') : isCause(cause);
  if (!isSound) throw broken(`has the cause \`${cause}\``);
  if (!isSettled && row.superseded_by !== null) throw broken('is superseded and was never settled');
}

const isCause = (cause: Cause | null): boolean => cause !== null && CAUSES.includes(cause);

/** A link leads from a root of the scope; lineage leads from a version. */
function checkLink(link: LinkRow, history: IndexedHistory): void {
  const isThere =
    link.link_type === 'derived_from'
      ? history.byUuid.has(link.from_uuid)
      : history.versionsOf(link.from_uuid).length > 0;
  if (link.link_type !== 'derived_from' && link.from_seq !== null)
    throw brokenHistory(`the link \`${link.uuid}\` has a range`);
  if (!isThere)
    throw brokenHistory(`a link leads from \`${link.from_uuid}\`, which is not of the scope`);
  const isAuthority = link.link_type === 'inherits' || link.link_type === 'grants';
  if (isAuthority && (link.from_uuid !== history.scope || link.to_uuid === history.scope))
    throw brokenHistory(`an \`${link.link_type}\` link does not lead from the scope to another`);
}

/** A root is begun by the version whose id it has, stays in its table and, typed, under its key. */
function checkRoot(versions: readonly AnyRow[], root: Uuid, history: IndexedHistory): void {
  const first = history.byUuid.get(root);
  const broken = (what: string): Error => brokenHistory(`\`${root}\` ${what}`, 'root_uuid');
  if (!first || first.row.root_uuid !== root) throw broken('has no version that began it');
  if (first.row.operation !== 'ADD') throw broken(`began with \`${first.row.operation}\``);
  for (const entry of versions) {
    const { row } = entry;
    if (entry.table !== first.table) throw broken('has versions in two tables');
    const whole = row.recut_of === null ? undefined : history.byUuid.get(row.recut_of);
    if (row.recut_of !== null && whole?.row.root_uuid !== root)
      throw broken('has a version that was cut from another root');
    if (entry !== first && row.recorded_seq < first.row.recorded_seq)
      throw broken('has a version older than its first');
    if (entry.table === 'blocks' && entry.row.is_scope && root !== history.scope)
      throw broken('claims to be a scope');
    if (
      entry.table === 'memory_schema_typed' &&
      first.table === 'memory_schema_typed' &&
      typedKeyOf(entry.row) !== typedKeyOf(first.row)
    )
      throw broken('has two keys');
  }
}
