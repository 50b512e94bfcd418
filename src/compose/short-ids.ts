/**
 * What an item is called in the text. Invariant: the same version has the same id in every
 * composition of a scope, and one id names one version within a composition
 * (test/unit/short-ids.test.ts).
 */
import type { LedgerRow } from '../model/block.ts';
import type { Uuid } from '../model/ids.ts';

/**
 * The sequence number of the row in its scope: each operation draws its own, and of the versions
 * that one operation re-cut, one is visible at a time. Scopes but the first of the closure have
 * a letter in front: `17`, `a17`, `b17`, ... `aa17`.
 */
export function shortId(
  { scope_uuid: scope, recorded_seq: seq }: Pick<LedgerRow, 'scope_uuid' | 'recorded_seq'>,
  closure: readonly Uuid[],
): string {
  const place = closure.indexOf(scope);
  return `${place < 0 ? FOREIGN : letters(place)}${seq}`;
}

const FOREIGN = 'zz';
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** 0 = none, 1 = a, 26 = z, 27 = aa. A closure has 64 scopes at most. */
function letters(place: number): string {
  if (place === 0) return '';
  const index = place - 1;
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
