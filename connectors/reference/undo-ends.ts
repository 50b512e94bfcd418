/** Up to when a version holds again whose end was forgotten: the next one, or an end of its own. */
import type { Instant } from '../../src/model/ids.ts';
import { isBelieved, type Slot, type TenantState, typedKey } from './store.ts';

/** A version over a time. */
export interface Held {
  readonly slot: Slot;
  readonly from: Instant;
  readonly until: Instant | null;
}

/** Where the first that is believed from `end` on begins; null = nothing is. */
export function nextAfter(
  around: readonly Slot[],
  slot: Slot,
  end: Instant | null,
): Instant | null {
  if (end === null) return null;
  const held = { slot, from: end, until: null };
  return around
    .filter((other) => isBelieved(other) && other.entry.row.valid_from >= end)
    .filter((other) => clashes(held, other))
    .map(({ entry: { row } }): Instant | null => row.valid_from)
    .reduce(earlier, null);
}

export const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || (other !== null && other < one) ? other : one;

/**
 * Copies that came back up to the next one, of which nothing is in sight any more, with the end
 * that they have now.
 */
export function goingOn(
  tenant: TenantState,
  staying: readonly Slot[],
  {
    goes,
    comes,
  }: { readonly goes: readonly { readonly slot: Slot }[]; readonly comes: readonly Held[] },
): readonly Held[] {
  const isGoing = (slot: Slot): boolean => goes.some((gone) => gone.slot === slot);
  return staying.flatMap((slot) => {
    const { valid_from: from, valid_until: end } = slot.entry.row;
    if (end === null || !isBelieved(slot) || isGoing(slot)) return [];
    const closer = staying.find(({ entry: { row } }) => row.uuid === slot.entry.row.superseded_by);
    const isSeen = slot.entry.row.superseded_by === null || closer?.entry.row.status === 'live';
    const own = slot.entry.row.closed_seq !== null && !isSeen ? null : endAlone(tenant, slot);
    const beyond = { slot, from: end, until: null };
    const isThere = (other: Slot): boolean =>
      other.entry.row.status === 'live' &&
      other.entry.row.valid_from === end &&
      (other.entry.row.root_uuid === slot.entry.row.root_uuid || isOfOneKey(slot, other));
    if (own === end || staying.some(isThere)) return [];
    const coming = comes.filter((held) => held.from >= end && clashes(beyond, held.slot));
    const next = [...coming.map((held) => held.from), nextAfter(staying, slot, end)].reduce(
      earlier,
      null,
    );
    const until = earlier(own, next);
    return until === end ? [] : [{ slot, from, until }];
  });
}

/** Its end where nothing follows on it: a copy that was cut short has that of its whole. */
function endAlone(tenant: TenantState, { entry: { row } }: Slot): Instant | null {
  const whole = row.recut_of === null ? undefined : tenant.versions.get(row.recut_of);
  const isOwn = row.operation !== 'UNDO' || row.closed_seq !== null || row.valid_until === null;
  if (isOwn || whole?.entry.row.status !== 'live') return row.valid_until;
  const of = whole.entry.row;
  if (of.valid_until === row.valid_until) return row.valid_until;
  const alone = endAlone(tenant, whole);
  // Of what went with the undo itself the end was taken back, unless it was lent as well.
  return alone === of.valid_until && of.retired_seq === row.recorded_seq ? null : alone;
}

export const clashes = (held: Held, other: Slot): boolean =>
  meets(held, other) &&
  (other.entry.row.root_uuid === held.slot.entry.row.root_uuid || isOfOneKey(held.slot, other));

/** Over some of the same time. */
export const meets = (
  { from, until }: Pick<Held, 'from' | 'until'>,
  { entry: { row } }: Slot,
): boolean =>
  (until === null || row.valid_from < until) &&
  (row.valid_until === null || from < row.valid_until);

const isOfOneKey = ({ entry: one }: Slot, { entry: other }: Slot): boolean =>
  one.table === 'memory_schema_typed' &&
  other.table === 'memory_schema_typed' &&
  one.row.cardinality === 'one' &&
  other.row.cardinality === 'one' &&
  typedKey(one.row.scope_uuid, one.row) === typedKey(other.row.scope_uuid, other.row);
