/**
 * `derived_from` in a scope's history: sources were believed, withdrawals reach every descendant,
 * no cycle.
 */
import type { AnyRow, Cause, LinkRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';
import { brokenHistory, type IndexedHistory } from './indexed-history.ts';

/** Causes that say "this was wrong": what was made from it is wrong too. */
const WITHDRAWING: ReadonlySet<Cause | null> = new Set<Cause | null>([
  'correction',
  'prune',
  'redaction',
  'cascade',
]);

export const isWithdrawn = (row: Pick<AnyRow['row'], 'retired_seq' | 'cause'>): boolean =>
  row.retired_seq !== null && WITHDRAWING.has(row.cause);

export function checkLineage(history: IndexedHistory): void {
  for (const entry of history.rows) {
    if (entry.table === 'context_links' && entry.row.link_type === 'derived_from')
      checkSource(entry.row, history);
    if (isWithdrawn(entry.row)) checkDescendants(entry, history);
    if (entry.row.cause === 'cascade') checkReason(entry, history);
  }
  checkAcyclic(history);
}

/** A source was a believed version when something was derived from it. */
function checkSource(link: LinkRow, history: IndexedHistory): void {
  const source = history.byUuid.get(link.to_uuid)?.row;
  const from = history.byUuid.get(link.from_uuid)?.row;
  if (from && from.recorded_seq > link.recorded_seq)
    throw brokenHistory(`\`${link.from_uuid}\` has a source before it was there`);
  if (!source) return;
  const isBelieved =
    source.recorded_seq < link.recorded_seq &&
    (source.retired_seq === null || source.retired_seq > link.recorded_seq);
  if (!isBelieved)
    throw brokenHistory(`the source \`${link.to_uuid}\` was not believed when it was one`);
}

/** The version, and the longer ones that it was re-cut from: a re-cut keeps their lineage. */
const wholesOf = (entry: AnyRow, history: IndexedHistory): readonly AnyRow[] =>
  history
    .versionsOf(entry.row.root_uuid)
    .filter((other) => other === entry || isRecutOf(entry, other));

function isRecutOf(part: AnyRow, whole: AnyRow): boolean {
  const [cut, from] = [part.row, whole.row];
  if (
    from.retired_seq === null ||
    from.retired_seq > cut.recorded_seq ||
    WITHDRAWING.has(from.cause)
  )
    return false;
  return (
    from.recorded_seq < cut.recorded_seq &&
    from.valid_from <= cut.valid_from &&
    (from.valid_until === null || (cut.valid_until !== null && cut.valid_until <= from.valid_until))
  );
}

/** Whatever derives from a version is withdrawn with it. */
function checkDescendants(entry: AnyRow, history: IndexedHistory): void {
  const at = entry.row.retired_seq ?? 0;
  const roots = wholesOf(entry, history)
    .flatMap(({ row }) => history.derivationsOf(row.uuid))
    .flatMap((link) => (link.recorded_seq < at ? [link.from_uuid] : []));
  for (const { row } of [...new Set(roots)].flatMap((root) => history.versionsOf(root)))
    if (row.recorded_seq < at && (row.retired_seq === null || row.retired_seq > at))
      throw brokenHistory(`\`${row.uuid}\` outlives \`${entry.row.uuid}\`, which it derives from`);
}

/** What was withdrawn derived from something that was wrong. A source elsewhere is out of sight. */
function checkReason(entry: AnyRow, history: IndexedHistory): void {
  const at = entry.row.retired_seq ?? 0;
  const isReason = ({ to_uuid: to, recorded_seq: since }: LinkRow): boolean => {
    const source = history.byUuid.get(to);
    if (since >= at) return false;
    return (
      !source ||
      history
        .versionsOf(source.row.root_uuid)
        .some(
          (part) =>
            part.row.retired_seq === at &&
            isWithdrawn(part.row) &&
            wholesOf(part, history).includes(source),
        )
    );
  };
  if (!history.sourcesOf(entry.row.root_uuid).some(isReason))
    throw brokenHistory(`\`${entry.row.uuid}\` is withdrawn, and none of its sources was wrong`);
}

/** No row derives from itself. Iterative: a chain may be as long as the scope. */
function checkAcyclic(history: IndexedHistory): void {
  const done = new Set<Uuid>();
  for (const start of history.roots()) {
    const path = new Set<Uuid>();
    const stack: { readonly root: Uuid; readonly isLeaving: boolean }[] = [
      { root: start, isLeaving: false },
    ];
    for (let at = stack.pop(); at; at = stack.pop()) {
      if (at.isLeaving) {
        path.delete(at.root);
        done.add(at.root);
        continue;
      }
      if (done.has(at.root)) continue;
      if (path.has(at.root)) throw brokenHistory(`\`${at.root}\` derives from itself`);
      path.add(at.root);
      stack.push({ root: at.root, isLeaving: true });
      for (const source of sourceRoots(at.root, history))
        stack.push({ root: source, isLeaving: false });
    }
  }
}

const sourceRoots = (root: Uuid, history: IndexedHistory): readonly Uuid[] => [
  ...new Set(
    history.sourcesOf(root).flatMap((link) => {
      const source = link.retired_seq === null ? history.byUuid.get(link.to_uuid) : undefined;
      return source ? [source.row.root_uuid] : [];
    }),
  ),
];
