/**
 * What the links and the journals of scopes lead to outside of them: an import needs it to be there
 * and held.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { AnyRow } from '../model/block.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { ScopeHistory } from '../model/journal.ts';
import { type HeldScopes, holds } from '../model/permission.ts';
import { isWithdrawn } from './withdrawal.ts';

export interface ExternalEnds {
  /** That the scope inherits from or grants to. */
  readonly scopes: readonly Uuid[];
  /** Versions that something of the scope derives from. */
  readonly versions: readonly Uuid[];
  /** Scopes that something of the scope derives from a range of. */
  readonly ranged: readonly Uuid[];
  /** Roots that any other link leads to. */
  readonly roots: readonly Uuid[];
  /** Versions by which something of the scope was said again. */
  readonly saying: readonly Uuid[];
}

/** All of them. */
export const endsOf = (ends: ExternalEnds): readonly Uuid[] => Object.values(ends).flat();

/**
 * Of links that are in force at `now` or later. What was withdrawn, or ended before, grants nothing
 * and brings nothing. Lineage ends with a withdrawal alone: a closed `derived_from` still
 * withdraws.
 */
export function externalEnds(
  { rows, journal }: Pick<ScopeHistory, 'rows' | 'journal'>,
  now: Instant,
): ExternalEnds {
  const versions = new Set<Uuid>(rows.map(({ row }) => row.uuid));
  const roots = new Set<Uuid>(rows.map(({ row }) => row.root_uuid));
  const byUuid = new Map(rows.map(({ row }) => [row.uuid, row]));
  // Versions that something believed is, or was cut from.
  const believed = new Set<Uuid>(
    rows.flatMap(({ row }) => (row.retired_seq === null ? [row.uuid] : [])),
  );
  for (const uuid of believed) {
    const recutOf = byUuid.get(uuid)?.recut_of;
    if (recutOf) believed.add(recutOf);
  }
  const made = (): Set<Uuid> => new Set<Uuid>();
  const ends = { scopes: made(), versions: made(), ranged: made(), roots: made() };
  for (const { table, row } of rows) {
    if (table !== 'context_links' || row.retired_seq !== null) continue;
    const { link_type: type, from_uuid: from, to_uuid: to, valid_until: until } = row;
    if (type !== 'derived_from' && until !== null && until <= now) continue;
    if (type === 'inherits' || type === 'grants') ends.scopes.add(to);
    else if (type !== 'derived_from' && !roots.has(to)) ends.roots.add(to);
    else if (type !== 'derived_from' || !believed.has(from)) continue;
    else if (row.from_seq === null && !versions.has(to)) ends.versions.add(to);
    else if (row.from_seq !== null && !roots.has(to)) ends.ranged.add(to);
  }
  return {
    scopes: [...ends.scopes],
    versions: [...ends.versions],
    ranged: [...ends.ranged],
    roots: [...ends.roots],
    saying: journal.flatMap(({ said_again: said }) =>
      (said?.sources ?? []).filter((uuid) => !versions.has(uuid)),
    ),
  };
}

/**
 * What is not there and what is not held are refused alike. `found`: rows that have one of the ids.
 */
export function checkEnds(
  ends: ExternalEnds,
  { found, held }: { readonly found: readonly AnyRow[]; readonly held: HeldScopes },
): void {
  const seen = found.filter(
    ({ row }) => row.status === 'live' && holds({ scopes: held }, row.scope_uuid),
  );
  const isScope = (uuid: Uuid): boolean =>
    seen.some(
      ({ table, row }) =>
        table === 'blocks' &&
        row.is_scope &&
        row.root_uuid === uuid &&
        row.scope_uuid === uuid &&
        row.retired_seq === null,
    );
  const isSource = (uuid: Uuid): boolean =>
    seen.some(({ row }) => row.uuid === uuid && !isWithdrawn(row));
  const isRoot = (uuid: Uuid): boolean => seen.some(({ row }) => row.root_uuid === uuid);
  const scope = ends.scopes.find((uuid) => !isScope(uuid));
  if (scope !== undefined) throw missing('SCOPE.NOT_FOUND', `inherits from \`${scope}\``);
  const source =
    ends.versions.find((uuid) => !isSource(uuid)) ?? ends.ranged.find((uuid) => !isScope(uuid));
  if (source !== undefined) throw missing('WRITE.SOURCE_GONE', `derives rows from \`${source}\``);
  // What was withdrawn since says it no longer.
  const said = ends.saying.find((uuid) => !seen.some(({ row }) => row.uuid === uuid));
  if (said !== undefined) throw missing('WRITE.SOURCE_GONE', `was told again by \`${said}\``);
  const root = ends.roots.find((uuid) => !isRoot(uuid));
  if (root !== undefined) throw missing('WRITE.NOT_FOUND', `links to \`${root}\``);
}

const missing = (
  code: 'SCOPE.NOT_FOUND' | 'WRITE.SOURCE_GONE' | 'WRITE.NOT_FOUND',
  what: string,
): ContextEngineError =>
  new ContextEngineError(code, {
    message: `The imported scope ${what}, which is not there or not held. Nothing was written.`,
    fix: 'Import the scope that it belongs to before it or with it, with a profile that holds both.',
  });
