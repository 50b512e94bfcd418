/** What is like a text, by brute force: every fact of the scope is weighed for each. */
import type { AlikeAsked, AlikeFact, AlikeText } from '../../src/cxri/ports/facts.ts';
import type { FactRow } from '../../src/model/block.ts';
import type { TenantId } from '../../src/model/ids.ts';
import { isVisible } from '../../src/model/validity.ts';
import { compare, toPredicate } from './filter.ts';
import { weigh } from './search.ts';
import type { Slot, Store } from './store.ts';

interface Weighed {
  readonly slot: Slot;
  readonly dense: number | null;
  readonly lexical: number | null;
}

export function factsAlike(
  store: Store,
  tenant: TenantId,
  asked: AlikeAsked,
): readonly (readonly AlikeFact[])[] {
  const { scope, head, valid_at: at, texts } = asked;
  const state = store.tenants.get(tenant)?.scopes.get(scope);
  const all = (state?.slots.memory_open_set ?? []).filter(
    ({ entry }) => entry.row.status === 'live',
  );
  const visible = all.filter(({ entry }) => isVisible(entry.row, at, head));
  return texts.map((text) => alike(store, { all, visible }, { ...asked, ...text }));
}

function alike(
  store: Store,
  slots: { readonly all: readonly Slot[]; readonly visible: readonly Slot[] },
  { text, vector, space, least, limit, ...asked }: AlikeAsked & AlikeText,
): readonly AlikeFact[] {
  const part = { text, ...(vector && space !== null && { vector: { space, values: vector } }) };
  const { ranked } = weigh(store, part, slots);
  const weighed = ranked.map(({ slot, dense, lexical }): Weighed => {
    const isNear = dense !== undefined && dense >= least;
    return { slot, dense: isNear ? dense : null, lexical: lexical ?? null };
  });
  const leg = (signal: 'dense' | 'lexical'): readonly Weighed[] =>
    weighed
      .filter((each) => each[signal] !== null)
      .sort((a, b) => (b[signal] ?? 0) - (a[signal] ?? 0) || byUuid(a, b))
      .slice(0, limit);
  const worded = new Set(leg('lexical'));
  const found = new Set([...worded, ...leg('dense'), ...slotOf(weighed, asked)]);
  return [...found].map((each) => ({
    row: structuredClone(each.slot.entry.row as FactRow), // of the facts, see above
    dense: each.dense,
    lexical: worded.has(each) ? each.lexical : null,
  }));
}

function slotOf(
  weighed: readonly Weighed[],
  { slot, most_slots: most }: Pick<AlikeAsked & AlikeText, 'slot' | 'most_slots'>,
): readonly Weighed[] {
  if (slot === null) return [];
  const isOf = toPredicate('memory_open_set', {
    and: [
      { field: 'subject', eq: slot.subject },
      { field: 'metadata', has: slot.has },
    ],
  });
  return weighed
    .filter(({ slot: { entry } }) => isOf(entry.row))
    .sort(
      (a, b) => compare(b.slot.entry.row.valid_from, a.slot.entry.row.valid_from) || byUuid(b, a),
    )
    .slice(0, most);
}

const byUuid = (a: Weighed, b: Weighed): number =>
  compare(a.slot.entry.row.uuid, b.slot.entry.row.uuid) || 0;
