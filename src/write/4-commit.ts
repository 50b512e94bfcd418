/** Stage 4: the authority writes all operations or none, each with its decision in the journal. */
import type { Operation, WriteResult } from '../model/operation.ts';
import type { AuthorizedWrite } from './3-authorize.ts';
import type { WriteDependencies } from './write-dependencies.ts';

export interface CommittedWrite extends AuthorizedWrite {
  readonly written: WriteResult;
}

export async function commitWrite(
  authorized: AuthorizedWrite,
  { authority, writer, newId }: WriteDependencies,
): Promise<CommittedWrite> {
  const { grant, operations, decisions, unheldBirths, now, signal } = authorized;
  const written = await authority.write({
    tenant: grant.tenant,
    operations,
    decisions,
    ...(unheldBirths.length > 0 && { must_be_new: unheldBirths }),
    ...(operations.some(derivesIds) && { seed: newId() }),
    recorded_at: now,
    writer: { principal: grant.principal, on_behalf_of: grant.onBehalfOf, writer },
    ...(signal && { signal }),
  });
  return { ...authorized, written };
}

/** What may re-cut an interval, or links a row to its sources. */
const derivesIds = (operation: Operation): boolean =>
  operation.operation === 'UPDATE' ||
  operation.operation === 'DELETE' ||
  (operation.operation === 'ADD' &&
    (operation.table === 'memory_schema_typed' || (operation.sources ?? []).length > 0));
