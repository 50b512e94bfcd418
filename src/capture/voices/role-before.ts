/**
 * Whether a role goes on that began long before a batch. A talk is read once for it: how it stood
 * where the last batch read from is kept by the scope, and a process that knows nothing reads anew.
 */
import type { Authority } from '../../cxri/authority.ts';
import type { BlockRow } from '../../model/block.ts';
import type { CaptureDependencies, Prepared } from '../prepare.ts';
import { firstBefore, pagesOfTurns } from '../turns.ts';
import { isInRoleAfter } from './awaited-text.ts';

/** Of the turns below a number. */
interface Stood {
  readonly upTo: number;
  readonly isOn: boolean;
}

const KNOWN = new WeakMap<Authority, Map<string, Stood>>();
const MOST_SCOPES = 1000;
/** Further back than any talk in a role goes on. */
const MOST_WRITES = 4000;

/** `held`: the turns before the batch that are read with it, and its own. */
export async function wasInRole(
  prepared: Prepared & { readonly from: number },
  by: Pick<CaptureDependencies, 'authority'>,
  held: readonly BlockRow[],
): Promise<boolean> {
  const before = firstBefore(prepared.from);
  const stands = KNOWN.get(by.authority) ?? new Map<string, Stood>();
  KNOWN.set(by.authority, stands);
  const scope = `${prepared.grant.tenant} ${prepared.of.scope_uuid}`;
  const last = stands.get(scope);
  const isUsable = last !== undefined && last.upTo <= before;
  const from_seq = isUsable ? last.upTo : Math.max(1, before - MOST_WRITES);
  let isOn = isUsable && last.isOn;
  for await (const turns of pagesOfTurns(prepared, by, { from_seq, before }))
    isOn = isInRoleAfter(turns, isOn);
  // What the next batch begins with is at hand already.
  const next = firstBefore((held.at(-1)?.recorded_seq ?? 0) + 1);
  const passed = held.filter(({ recorded_seq: seq }) => seq < next);
  stands.delete(scope);
  stands.set(scope, { upTo: Math.max(before, next), isOn: isInRoleAfter(passed, isOn) });
  const [oldest] = stands.keys();
  if (stands.size > MOST_SCOPES && oldest !== undefined) stands.delete(oldest);
  return isOn;
}
