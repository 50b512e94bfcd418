/**
 * Lineage of exports of formats 1 and 2, where a `derived_from` link led from a root and nothing
 * said what was cut from what. The same rules as in migrations/0022_lineage.sql.
 */
import { toEntry } from '../ledger/entry.ts';
import { isSameContent } from '../ledger/same-content.ts';
import { type AnyRow, NO_RANGE, TABLES } from '../model/block.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Given {
  readonly table: unknown;
  readonly row: object;
}

/** Shapes are not checked yet: what cannot be read stays as it is, and is refused later. */
export function withVersionLineage(
  rows: readonly Given[],
  journal: readonly unknown[],
): readonly Given[] {
  const brought = new Map<unknown, Set<unknown>>();
  for (const entry of journal) {
    const { seq, uuid }: Fields = fieldsOf(entry);
    brought.set(seq, (brought.get(seq) ?? new Set()).add(uuid));
  }
  const byRoot = new Map<unknown, Fields[]>();
  for (const { row } of rows) {
    const fields = fieldsOf(row);
    const versions = byRoot.get(fields['root_uuid']);
    if (versions) versions.push(fields);
    else byRoot.set(fields['root_uuid'], [fields]);
  }
  const versionsOf = (root: unknown): readonly Fields[] => byRoot.get(root) ?? [];
  return rows.map(({ table, row }) => {
    const fields = fieldsOf(row);
    const isNew = brought.get(fields['recorded_seq'])?.has(fields['uuid']) === true;
    const hasJournal = brought.has(fields['recorded_seq']);
    const whole = versionsOf(fields['root_uuid']).find(
      (version) => isCutFrom(fields, version) && (hasJournal || isSame(table, fields, version)),
    );
    const lineage = { recut_of: isNew ? null : (whole?.['uuid'] ?? null) };
    if (table !== 'context_links') return { table, row: { ...row, ...lineage } };
    const from = versionsOf(fields['from_uuid']).find(
      (version) =>
        version['recorded_seq'] === fields['recorded_seq'] &&
        version['valid_from'] === fields['valid_from'],
    );
    const isLineage = fields['link_type'] === 'derived_from' && from !== undefined;
    const end = isLineage ? { from_uuid: from['uuid'] } : {};
    return { table, row: { ...row, ...NO_RANGE, ...lineage, ...end } };
  });
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function isCutFrom(part: Fields, whole: Fields): boolean {
  const at = part['recorded_seq'];
  if (part['uuid'] === part['root_uuid'] || Number(whole['recorded_seq']) >= Number(at))
    return false;
  const isClosed = whole['closed_seq'] === at;
  const isRetired =
    whole['retired_seq'] === at && (whole['cause'] === 'change' || whole['cause'] === 'merge');
  if (!(isClosed || isRetired) || String(whole['valid_from']) > String(part['valid_from']))
    return false;
  const end = isClosed ? null : whole['valid_until'];
  const until = part['closed_seq'] === null ? part['valid_until'] : null;
  return end === null || (until !== null && String(until) <= String(end));
}

function isSame(table: unknown, a: Fields, b: Fields): boolean {
  const known = TABLES.find((each) => each === table);
  if (known === undefined) return false;
  const entry = (row: Fields): AnyRow => toEntry(known, row);
  return isSameContent(entry(a), entry(b));
}
