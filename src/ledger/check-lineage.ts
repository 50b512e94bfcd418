/**
 * `derived_from` in a scope's history: sources were believed, withdrawals reach every descendant.
 * A source is older than what derives from it, so nothing derives from itself.
 */
import type { AnyRow, LinkRow } from '../model/block.ts';
import { brokenHistory, type IndexedHistory } from './indexed-history.ts';
import { isWithdrawn } from './withdrawal.ts';

export function checkLineage(history: IndexedHistory): void {
  for (const entry of history.rows) {
    if (entry.table === 'context_links' && entry.row.link_type === 'derived_from')
      checkSource(entry.row, history);
    if (isWithdrawn(entry.row)) checkDescendants(entry, history);
    if (entry.row.cause === 'cascade') checkReason(entry, history);
  }
}

/** A source was a believed version when something was derived from it. */
function checkSource(link: LinkRow, history: IndexedHistory): void {
  const from = history.byUuid.get(link.from_uuid)?.row;
  if (!from || from.recorded_seq > link.recorded_seq)
    throw brokenHistory(`\`${link.from_uuid}\` has a source before it was there`);
  if (link.from_seq !== null) checkRange(link, history);
  else checkVersion(link, history);
}

function checkVersion(link: LinkRow, history: IndexedHistory): void {
  const source = history.byUuid.get(link.to_uuid)?.row;
  if (!source) return;
  const isBelieved =
    source.recorded_seq < link.recorded_seq &&
    (source.retired_seq === null || source.retired_seq > link.recorded_seq);
  if (!isBelieved)
    throw brokenHistory(`the source \`${link.to_uuid}\` was not believed when it was one`);
}

function checkRange(link: LinkRow, history: IndexedHistory): void {
  const { to_uuid: scope, from_seq: from, to_seq: to, seen_seq: seen } = link;
  const isWhole = from !== null && to !== null && seen !== null && from <= to && to <= seen;
  if (!isWhole) throw brokenHistory(`the range of \`${link.uuid}\` is not one`);
  if (scope !== history.scope) return;
  if (seen >= link.recorded_seq || history.sourcesOf(link).length === 0)
    throw brokenHistory(`\`${link.from_uuid}\` derives from no block of its range`);
}

/** Whatever derives from a version, or from a longer one, is withdrawn with it. */
function checkDescendants(entry: AnyRow, history: IndexedHistory): void {
  const at = entry.row.retired_seq ?? 0;
  for (const whole of history.wholesOf(entry))
    for (const link of history.derivationsOf(whole)) {
      const derived = history.byUuid.get(link.from_uuid);
      if (!derived || link.recorded_seq >= at) continue;
      for (const { row } of history.partsOf(derived))
        if (row.recorded_seq < at && (row.retired_seq === null || row.retired_seq > at))
          throw brokenHistory(
            `\`${row.uuid}\` outlives \`${entry.row.uuid}\`, which it derives from`,
          );
    }
}

/** What was withdrawn derived from something that was wrong. A source elsewhere is out of sight. */
function checkReason(entry: AnyRow, history: IndexedHistory): void {
  const at = entry.row.retired_seq ?? 0;
  const isReason = (link: LinkRow): boolean => {
    if (link.recorded_seq >= at) return false;
    if (history.isElsewhere(link)) return true;
    return history
      .sourcesOf(link)
      .flatMap((source) => history.partsOf(source))
      .some(({ row }) => row.retired_seq === at && isWithdrawn(row));
  };
  const links = history.wholesOf(entry).flatMap(({ row }) => history.linksOf(row.uuid));
  if (!links.some(isReason))
    throw brokenHistory(`\`${entry.row.uuid}\` is withdrawn, and none of its sources was wrong`);
}
