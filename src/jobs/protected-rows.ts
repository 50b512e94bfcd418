/** What the links of a tenant keep: roots that are pinned, and versions that others are made of. */
import type { Authority } from '../cxri/authority.ts';
import { scanPages } from '../cxri/scan-pages.ts';
import type { AnyRow } from '../model/block.ts';
import type { Instant, TenantId, Uuid } from '../model/ids.ts';
import type { HeldScopes } from '../model/permission.ts';
import type { Position } from '../model/validity.ts';

export interface ProtectedRows {
  /** Roots, whoever pinned them. */
  readonly pinned: ReadonlySet<Uuid>;
  /** Versions that a row which is believed derives from. */
  readonly sources: ReadonlySet<Uuid>;
}

const ALL: HeldScopes = { all: true, uuids: new Set() };
/** Of a position (src/inputs/request-fields.ts). */
const SCOPES_AT_ONCE = 64;
const PAGE = 500;
const KINDS = ['pinned', 'derived_from'];

/** Of all scopes: a pin in one that the caller does not hold keeps a row as well. */
export async function readProtected(
  tenant: TenantId,
  now: Instant,
  authority: Pick<Authority, 'heads' | 'listScopes' | 'read'>,
): Promise<ProtectedRows> {
  const scopes = await authority.listScopes(tenant, ALL, now);
  const pinned = new Set<Uuid>();
  const sources = new Set<Uuid>();
  for (let start = 0; start < scopes.length; start += SCOPES_AT_ONCE) {
    const position = scopes
      .slice(start, start + SCOPES_AT_ONCE)
      .map(({ scope, head }) => ({ scope: scope.root_uuid, head }));
    for await (const { row, table } of scanLinks(tenant, position, authority)) {
      if (table !== 'context_links' || row.retired_seq !== null) continue;
      if (row.link_type === 'derived_from') sources.add(row.to_uuid);
      else if (row.valid_until === null || row.valid_until > now) pinned.add(row.to_uuid);
    }
  }
  return { pinned, sources };
}

async function* scanLinks(
  tenant: TenantId,
  position: Position,
  authority: Pick<Authority, 'read'>,
): AsyncGenerator<AnyRow> {
  const filter = { field: 'link_type', in: KINDS };
  const scan = { tenant, table: 'context_links', position, filter, limit: PAGE } as const;
  for await (const rows of scanPages(authority, scan)) yield* rows;
}
