/** What a grant reads of its tenant, as the ports take it. */
import type { Grant, ReadableScopes } from '../model/permission.ts';
import type { EngineParts } from './engine-parts.ts';

/** A grant of the whole tenant names no scopes: there may be any number of them. */
export async function readableScopes(
  grant: Grant,
  { authority, permission, manifests, now }: EngineParts,
): Promise<ReadableScopes> {
  const { tenant, scopes, tiers } = grant;
  if (tiers.reads !== 'T1') return [];
  if (scopes.all) {
    const types = new Set(manifests.manifests.map(({ scopeBlockType }) => scopeBlockType));
    return {
      but_types: [...types].filter((type) => !permission.readsType(grant, type)),
      at: now(),
    };
  }
  const listed = await authority.listScopes(tenant, scopes, now());
  return listed.flatMap(({ scope }) => (permission.mayRead(grant, scope) ? [scope.root_uuid] : []));
}
