/**
 * What an item is called in the text. Invariant: the same version has the same id in every
 * composition of a scope, and one id names one version within a composition
 * (test/unit/short-ids.test.ts).
 */
import type { LedgerRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';

/**
 * Counts the sequence number of the row in its scope: each operation draws its own, and of the
 * versions that one operation re-cut, one is visible at a time. The first two scopes of a closure,
 * as a session and its user, share the plain numbers, which are the cheapest ids that there are
 * (1 token up to 999): every third one, 3, 6, 9, is of the second scope, the others are of the
 * first. Scopes behind them have a letter in front: `a17`, `b17`, ... `aa17`.
 */
export function shortId(
  { scope_uuid: scope, recorded_seq: seq }: Pick<LedgerRow, 'scope_uuid' | 'recorded_seq'>,
  closure: readonly Uuid[],
): string {
  const place = closure.indexOf(scope);
  if (place === 0) return String(seq + Math.floor((seq - 1) / 2));
  if (place === 1) return String(3 * seq);
  return `${place < 0 ? FOREIGN : letters(place - 2)}${seq}`;
}

const FOREIGN = 'zz';
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** 0 = a, 25 = z, 26 = aa. A closure has 64 scopes at most. */
function letters(index: number): string {
  const high = Math.floor(index / ALPHABET.length);
  return `${high === 0 ? '' : ALPHABET.charAt(high - 1)}${ALPHABET.charAt(index % ALPHABET.length)}`;
}

/**
 * Tells apart what restored rows may share: of the versions under one id, all but the first by
 * uuid.
 */
export function distinctIds(
  items: readonly { readonly uuid: Uuid; readonly id: string }[],
): ReadonlyMap<Uuid, string> {
  const sharing = new Map<string, Uuid[]>();
  for (const { uuid, id } of items) {
    const uuids = sharing.get(id);
    if (uuids === undefined) sharing.set(id, [uuid]);
    else if (!uuids.includes(uuid)) uuids.push(uuid);
  }
  const ids = new Map<Uuid, string>();
  for (const [id, uuids] of sharing)
    for (const [index, uuid] of uuids.sort().entries())
      ids.set(uuid, index === 0 ? id : `${id}.${index + 1}`);
  return ids;
}
