/** Rights of principals and their keys, in maps of their tenant. */
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { RightsPort, StoredPrincipal } from '../../src/cxri/ports/rights.ts';
import type { TenantId } from '../../src/model/ids.ts';
import {
  PERMISSION_KEYS,
  type PermissionKey,
  type StoredRights,
} from '../../src/model/permission.ts';
import type { RightsChange } from '../../src/model/proposal.ts';
import { appendAudit } from './audit.ts';
import { rightsOf, type Store, type TenantState, tenantOf } from './store.ts';

const refused = (message: string): ContextEngineError =>
  new ContextEngineError('PERMISSION.RIGHTS_REFUSED', {
    message,
    fix: 'See what is stored with `principals.list`.',
  });

export function applyRights(tenant: TenantState, change: RightsChange): void {
  const was = tenant.rights.get(change.principal);
  if (change.action === 'set') {
    const { kind, tiers, scopes } = change;
    if (was && was.kind !== kind) throw refused(`The principal is stored as \`${was.kind}\`.`);
    tenant.rights.set(change.principal, {
      kind,
      tiers,
      scopes:
        scopes === '*' ? { all: true, uuids: new Set() } : { all: false, uuids: new Set(scopes) },
      isDisabled: was?.isDisabled ?? false,
    });
  } else if (!was) throw refused(`No principal \`${change.principal}\` is stored.`);
  else if (change.action === 'add_key') {
    if (was.kind === 'agent') throw refused('An agent has no key: it approves nothing.');
    if (tenant.keys.has(change.key_id)) throw refused('The key is registered already.');
    const { principal, public_key: publicKey } = change;
    tenant.keys.set(change.key_id, { principal, publicKey, isRevoked: false });
  } else if (change.action === 'revoke_key') {
    const key = tenant.keys.get(change.key_id);
    if (key?.principal !== change.principal) throw refused('The principal has no such key.');
    key.isRevoked = true;
  } else tenant.rights.set(change.principal, { ...was, isDisabled: change.action === 'disable' });
  tenant.epoch += 1;
}

const STRICTER = ['T1', 'T2', 'T3', 'excluded'];

const rankOf = ({ kind, tiers }: Pick<StoredRights, 'kind' | 'tiers'>, key: PermissionKey) => {
  const byDefault =
    key === 'reads' ? 'T1' : key !== 'writes' ? 'T3' : kind === 'agent' ? 'T2' : 'T1';
  return STRICTER.indexOf(tiers[key] ?? byDefault);
};

/** The principal holds at least what another one holds after the change. */
export function holdsWhatChanges(
  { rights }: TenantState,
  change: RightsChange,
  principal: string,
): boolean {
  if (change.action === 'disable' || change.action === 'revoke_key') return true;
  const given = change.action === 'set' ? change : rights.get(change.principal);
  const held = rights.get(principal);
  if (!given) return true; // refused where it is applied
  return (
    held?.scopes.all === true &&
    PERMISSION_KEYS.every((key) => rankOf(given, key) >= rankOf(held, key))
  );
}

export function changeRights(
  store: Store,
  [tenant, change, by]: Parameters<RightsPort['changeRights']>,
): void {
  const state = tenantOf(store, tenant);
  applyRights(state, change);
  const action = `principals.${change.action}`;
  appendAudit(state, [
    { ...by, action, decision: 'allowed', tier: 'T1', detail: change.principal },
  ]);
}

export const listPrincipals = (store: Store, tenant: TenantId): readonly StoredPrincipal[] =>
  [...rightsOf(store, tenant)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([principal, stored]) => ({
      ...stored,
      principal,
      keys: [...(store.tenants.get(tenant)?.keys ?? [])]
        .filter(([, key]) => key.principal === principal)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key_id, { isRevoked }]) => ({ key_id, is_revoked: isRevoked })),
    }));

export function readRights(
  store: Store,
  tenant: TenantId,
  principals: readonly string[],
): Readonly<Record<string, StoredRights>> {
  const stored = rightsOf(store, tenant);
  return Object.fromEntries(
    principals.flatMap((principal) => {
      const held = stored.get(principal);
      return held ? [[principal, held] as const] : [];
    }),
  );
}
