/** The digest key of a tenant. Nothing of this store outlives its process, so it may be derived. */
import { keyedDigest } from '../../src/cxri/keyed-digest.ts';
import { payloadOf } from '../../src/cxri/payload.ts';
import type { KeysPort } from '../../src/cxri/ports/keys.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import { sha256 } from './ids.ts';
import { currentBlock } from './resolve.ts';
import { type Store, type TenantState, tenantOf } from './store.ts';

/** Another one after all of the tenant was erased. */
export function digestKeyOf({ tenant, redactions }: TenantState): string {
  const destroyed = redactions.filter(
    ({ target_kind: kind, state }) => kind === 'tenant' && state === 'erased',
  );
  return sha256(`reference digest key ${destroyed.length} ${tenant}`);
}

/** Of the payload that a repeated key must repeat. */
export const digestOfPayload = (tenant: TenantState, operation: Operation): string =>
  keyedDigest(digestKeyOf(tenant), sha256(payloadOf(operation)));

export const rekeyed = (tenant: TenantState, digest: string | null): string | null =>
  digest === null ? null : keyedDigest(digestKeyOf(tenant), digest);

export const keysPort = (store: Store): KeysPort => ({
  digestKey: async (tenant) => digestKeyOf(tenantOf(store, tenant)),
  madeScopes: async (tenant, scopes) => {
    const state = tenantOf(store, tenant);
    return scopes
      .filter((scope) => state.scopes.has(scope))
      .map((scope) => ({
        scope,
        is_standing: currentBlock(state, scope) !== undefined,
        is_earlier: false,
      }));
  },
  forgottenNames: async (tenant, { scope, uuids, keys }) => {
    const state = tenantOf(store, tenant);
    const isForgotten = (uuid: Uuid | null | undefined): boolean => {
      const row = uuid ? state.versions.get(uuid)?.entry.row : undefined;
      return row !== undefined && row.scope_uuid === scope && row.status !== 'live';
    };
    const known = state.scopes.get(scope)?.keys;
    return {
      uuids: uuids.filter(isForgotten),
      keys: keys.filter((key) => isForgotten(known?.get(key)?.uuid)),
    };
  },
});
