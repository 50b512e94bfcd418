/**
 * The write path, one call a stage: check, resolve, authorize, propose, commit, embed, notify. Each
 * stage is one file and takes what the stage before it returns, so that a wrong order does not
 * compile.
 */
import { countsOf, type WriteResult } from '../model/operation.ts';
import { checkWriteCall, type WriteCall } from './1-check.ts';
import { resolveWrite } from './2-resolve.ts';
import { type AuthorizedWrite, authorizeOperations } from './3-authorize.ts';
import { proposeWrite } from './4-propose.ts';
import { commitWrite } from './5-commit.ts';
import { embedWritten } from './6-embed.ts';
import { notifyWriter } from './7-notify.ts';
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
  if (call.isApart && isMixed(authorized)) return writeEach(call, by);
  const waiting = await proposeWrite(authorized, by);
  if (waiting) return waiting;
  const committed = await commitWrite(authorized, by);
  const embedded = await embedWritten(committed, by);
  return notifyWriter(embedded);
}

const isMixed = ({ waits, waitsOf }: AuthorizedWrite): boolean =>
  waits !== null && waitsOf.includes(null);

/** Some wait and some do not: each goes its own way. */
async function writeEach(call: WriteCall, by: WriteDependencies): Promise<WriteResult> {
  const results: WriteResult[] = [];
  for (const operation of call.operations)
    results.push(await writeOperations({ ...call, operations: [operation] }, by));
  const receipts = results.flatMap((result) => result.receipts);
  const heads = new Map(
    results.flatMap(({ position }) => position.map(({ scope, head }) => [scope, head] as const)),
  );
  const position = [...heads].map(([scope, head]) => ({ scope, head }));
  return { receipts, counts: countsOf(receipts), position };
}
