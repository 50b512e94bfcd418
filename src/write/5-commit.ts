/** Stage 5: the authority writes all operations or none, each with its decision in the journal. */
import type { AuditEntry } from '../model/audit.ts';
import type { Operation, WriteResult } from '../model/operation.ts';
import { hearable } from '../permission/undo-plans.ts';
import type { AuthorizedWrite } from './3-authorize.ts';
import type { WriteDependencies } from './write-dependencies.ts';

export interface CommittedWrite extends AuthorizedWrite {
  readonly written: WriteResult;
}

export async function commitWrite(
  authorized: AuthorizedWrite,
  { authority, permission, writer, newId }: WriteDependencies,
): Promise<CommittedWrite> {
  const { grant, operations, decisions, unheldBirths, granting, now, signal } = authorized;
  const request = {
    tenant: grant.tenant,
    operations,
    decisions,
    ...(unheldBirths.length > 0 && { must_be_new: unheldBirths }),
    ...(granting.length > 0 && { audit: grantEntries(authorized) }),
    ...(operations.some(derivesIds) && { seed: newId() }),
    recorded_at: now,
    writer: { principal: grant.principal, on_behalf_of: grant.onBehalfOf, writer },
    ...(signal && { signal }),
  };
  const written = await authority.write(request).catch(async (error: unknown) => {
    throw await hearable(error, grant, permission);
  });
  return { ...authorized, written };
}

/** Links that give rights are audited, also where one principal is enough for them. */
const grantEntries = ({ grant, granting, now }: AuthorizedWrite): readonly AuditEntry[] =>
  granting.map((scope_uuid) => ({
    principal: grant.principal,
    on_behalf_of: grant.onBehalfOf,
    action: 'write.grants',
    scope_uuid,
    decision: 'allowed',
    tier: 'T1',
    detail: '',
    at: now,
  }));

/** What may re-cut an interval, or links a row to its sources. */
export const derivesIds = (operation: Operation): boolean =>
  operation.operation === 'UPDATE' ||
  operation.operation === 'UNDO' ||
  operation.operation === 'DELETE' ||
  (operation.operation === 'ADD' &&
    (operation.table === 'memory_schema_typed' || (operation.sources ?? []).length > 0));
