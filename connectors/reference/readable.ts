/** Whether a scope may be read: it is named, or stands and is of another type. */
import type { Uuid } from '../../src/model/ids.ts';
import { isAllScopes, type ReadableScopes } from '../../src/model/permission.ts';
import { currentBlock } from './resolve.ts';
import type { TenantState } from './store.ts';

export function readsIn(tenant: TenantState, scopes: ReadableScopes): (scope: Uuid) => boolean {
  if (!isAllScopes(scopes)) return (scope) => scopes.includes(scope);
  const { but_types: types, at } = scopes;
  return (uuid) => {
    const block = currentBlock(tenant, uuid);
    return (
      block !== undefined &&
      block.valid_from <= at &&
      (block.valid_until === null || block.valid_until > at) &&
      !types.includes(block.block_type)
    );
  };
}
