/** The documents of a scope, as `ingest` stored them. */
import { scanPages } from '../../cxri/scan-pages.ts';
import type { AnyRow } from '../../model/block.ts';
import { parseUuid, type TenantId, type Uuid } from '../../model/ids.ts';
import type { CallOptions } from '../call-options.ts';
import { type EngineParts, readerOf } from '../engine-parts.ts';
import type { StoredDocument } from './ingest-surface.ts';

const PAGE = 500;

export async function documentsOf(
  parts: EngineParts,
  given: string,
  options: CallOptions | undefined,
): Promise<readonly StoredDocument[]> {
  const scope = parseUuid(given, 'scope');
  const grant = await readerOf(parts, options);
  await parts.permission.assertReadable(grant, scope, { door: 'look_back', field: 'scope' });
  const rows = await documentRows(parts, grant.tenant, scope);
  return rows.flatMap(toDocument).sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function documentRows(
  { authority, now }: Pick<EngineParts, 'authority' | 'now'>,
  tenant: TenantId,
  scope: Uuid,
): Promise<readonly AnyRow[]> {
  const { position } = await authority.heads(tenant, [scope]);
  const rows: AnyRow[] = [];
  const pages = scanPages(authority, {
    ...{ tenant, table: 'blocks', position, visible_at: now(), limit: PAGE },
    filter: { field: 'block_type', eq: 'document' },
  });
  for await (const page of pages) rows.push(...page);
  return rows;
}

/** Nothing of a row that somebody else's writing called a document: it has no path. */
function toDocument({ row }: AnyRow): readonly StoredDocument[] {
  if (!('block_type' in row)) return [];
  const { path, class: of } = row.metadata;
  if (typeof path !== 'string') return [];
  return [
    {
      root_uuid: row.root_uuid,
      path,
      title: row.title,
      class: typeof of === 'string' ? of : 'document',
      source_id: row.provenance.source_id ?? null,
      valid_from: row.valid_from,
    },
  ];
}
