/**
 * The write path, one call a stage: check, resolve, authorize, commit, embed, notify. Each stage is one
 * file and takes what the stage before it returns, so that a wrong order does not compile.
 */
import { OUTCOMES, type Outcome, type Receipt, type WriteResult } from '../model/operation.ts';
import { checkWriteCall, type WriteCall } from './1-check.ts';
import { resolveWrite } from './2-resolve.ts';
import { authorizeOperations } from './3-authorize.ts';
import { commitWrite } from './4-commit.ts';
import { embedWritten } from './5-embed.ts';
import { notifyWriter } from './6-notify.ts';
import type { WriteDependencies } from './write-dependencies.ts';

export async function writeOperations(
  call: WriteCall,
  by: WriteDependencies,
): Promise<WriteResult> {
  if (Array.isArray(call.operations) && call.operations.length === 0)
    return { receipts: [], counts: countsOf([]), position: [] };
  const checked = checkWriteCall(call);
  const resolved = await resolveWrite(checked, by);
  const authorized = await authorizeOperations(resolved, by);
  const committed = await commitWrite(authorized, by);
  const embedded = await embedWritten(committed, by);
  return notifyWriter(embedded);
}

function countsOf(receipts: readonly Receipt[]): Readonly<Record<Outcome, number>> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    Outcome,
    number
  >;
  for (const receipt of receipts) counts[receipt.outcome] += 1;
  return counts;
}
