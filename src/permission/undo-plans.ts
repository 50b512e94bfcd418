/**
 * What undos of a batch would do now, and what refuses them, as far as the caller may hear of it.
 */
import { ContextEngineError } from '../codes/errors.ts';
import type { Authority } from '../cxri/authority.ts';
import { builtOn, undoneMissing } from '../ledger/refusals.ts';
import type { Uuid } from '../model/ids.ts';
import type { Operation } from '../model/operation.ts';
import type { Grant } from '../model/permission.ts';
import type { NamedOperation, UndoPlan } from '../model/undo.ts';
import type { PermissionDoor } from './door.ts';

type Judging = {
  readonly door: Pick<PermissionDoor, 'readable'>;
  readonly authority: Pick<Authority, 'readUndo'>;
};

/**
 * By the operation that is to be taken back. Rejects where there is none in the scope, where others
 * build on it, or where it would change other versions than the caller names.
 */
export async function undoPlans(
  operations: readonly Operation[],
  grant: Grant,
  { door, authority }: Judging,
): Promise<ReadonlyMap<Uuid, UndoPlan>> {
  const plans = new Map<Uuid, UndoPlan>();
  for (const [index, operation] of operations.entries()) {
    if (operation.operation !== 'UNDO') continue;
    const { target, scope, expected } = operation;
    const plan = await authority.readUndo(grant.tenant, target, grant.scopes);
    if (plan?.scope !== scope) throw undoneMissing(target);
    if (plan.undone_by === null && plan.built_on.length > 0)
      throw builtOn(target, await readableOf(plan.built_on, grant, door));
    if (expected && expected.join() !== plan.touched.join())
      throw new ContextEngineError('WRITE.INVALID', {
        message: `\`expected\` names other versions than the undo of \`${target}\` changes now.`,
        fix: 'Leave `expected` out.',
        where: { field: 'expected', index },
      });
    plans.set(target, plan);
  }
  return plans;
}

const readableOf = async (
  operations: readonly NamedOperation[],
  grant: Grant,
  door: Judging['door'],
): Promise<readonly NamedOperation[]> => {
  const readable = await door.readable(grant, [...new Set(operations.map(({ scope }) => scope))]);
  return operations.filter(({ scope }) => readable.has(scope));
};

/** A refusal that came under the locks, with the operations that the caller may hear of. */
export async function hearable(
  error: unknown,
  grant: Grant,
  door: Judging['door'],
): Promise<unknown> {
  if (!(error instanceof ContextEngineError) || error.code !== 'WRITE.BUILT_ON') return error;
  // The casts name what `builtOn` puts there.
  const { operation, operations } = error.meta as {
    readonly operation: Uuid;
    readonly operations: readonly NamedOperation[];
  };
  return builtOn(operation, await readableOf(operations, grant, door));
}
