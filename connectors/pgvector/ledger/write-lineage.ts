/**
 * `derived_from`: sources are checked when a row is made from them, and its descendants are
 * withdrawn when one turns out wrong.
 */
import { ContextEngineError } from '../../../src/codes/errors.ts';
import { sourceGone } from '../../../src/ledger/refusals.ts';
import type { Cause } from '../../../src/model/block.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import { isBelieved, type Version, type WriteSet } from './write-set.ts';

/** Every source is a version that is believed, and none of them derives from the row itself. */
export function checkSources(set: WriteSet, root: Uuid, sources: readonly Uuid[]): void {
  for (const source of sources) {
    const version = set.versions.get(source);
    if (!version || !isBelieved(version) || set.isOnlyClaimed(source)) {
      throw sourceGone(source);
    }
    if (ancestorsOf(set, version.entry.row.root_uuid).has(root)) {
      throw new ContextEngineError('WRITE.INVALID', {
        message: `\`${root}\` would derive from itself by way of \`${source}\`. Nothing was written.`,
        fix: 'Derive it from rows that do not depend on it.',
      });
    }
  }
}

/** The root and everything that it derives from. A set that grows while it is walked. */
function ancestorsOf(set: WriteSet, root: Uuid): ReadonlySet<Uuid> {
  const seen = new Set<Uuid>([root]);
  for (const from of seen) {
    for (const link of set.sourcesOf(from)) {
      const source = set.versions.get(link.to_uuid);
      if (source) seen.add(source.entry.row.root_uuid);
    }
  }
  return seen;
}

/**
 * Causes that say "this was wrong": what was made from it is wrong too. A change leaves the past as
 * it was.
 */
const WITHDRAWING: ReadonlySet<Cause | null> = new Set<Cause | null>([
  'correction',
  'prune',
  'redaction',
  'cascade',
]);

/**
 * Retires every believed descendant of versions that were just retired. In the writer's scope at
 * the operation's seq; any other scope draws one of its own.
 */
export function withdrawDescendants(
  set: WriteSet,
  retired: readonly Version[],
  own: { readonly scope: Uuid; readonly seq: number },
): void {
  const seqs = new Map<Uuid, number>([[own.scope, own.seq]]);
  const queue = retired.filter(({ entry }) => WITHDRAWING.has(entry.row.cause));
  for (const version of queue) {
    for (const derived of descendantsOf(set, version)) {
      const { table, row } = derived.entry;
      let seq = seqs.get(row.scope_uuid);
      if (seq === undefined) {
        seq = set.nextSeq(row.scope_uuid);
        seqs.set(row.scope_uuid, seq);
        set.record({
          scope: row.scope_uuid,
          seq,
          operation: 'CASCADE',
          table,
          uuid: row.uuid,
          root: row.root_uuid,
          receipt: null,
        });
      }
      set.settle(derived, { retired_seq: seq, cause: 'cascade' });
      queue.push(derived);
    }
  }
}

/**
 * Believed versions of the roots that derive from the version, or from a longer one that it was
 * re-cut from.
 */
function descendantsOf(set: WriteSet, version: Version): readonly Version[] {
  const wholes = set
    .versionsOf(version.entry.row.root_uuid)
    .filter((other) => other === version || isRecutOf(version, other));
  const roots = wholes
    .flatMap(({ entry }) => set.derivationsOf(entry.row.uuid))
    .flatMap((link) => (link.status === 'live' ? [link.from_uuid] : []));
  return [...new Set(roots)].flatMap((root) => set.versionsOf(root).filter(isBelieved));
}

/**
 * Re-cuts keep the lineage of what they were cut from, which was retired by a change and lasted at
 * least as long.
 */
function isRecutOf(part: Version, whole: Version): boolean {
  const [cut, from] = [part.entry.row, whole.entry.row];
  if (
    from.retired_seq === null ||
    from.recorded_seq >= cut.recorded_seq ||
    WITHDRAWING.has(from.cause)
  )
    return false;
  return (
    from.valid_from <= cut.valid_from &&
    (from.valid_until === null || (cut.valid_until !== null && cut.valid_until <= from.valid_until))
  );
}
