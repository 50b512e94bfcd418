/** Search by words, by meaning, or both, and what stands beside the rows found. */

import type { Hit, Lexicon, SearchPart } from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { lexicalSignal } from '../../src/text/bm25.ts';
import { cosineOf, spaceOf } from './embeddings.ts';
import { compare, reader } from './filter.ts';
import { indexedOf, lexiconOf } from './lexical.ts';
import type { Slot, Store } from './store.ts';

export interface Ranked {
  readonly slot: Slot;
  readonly dense: number | undefined;
  readonly lexical: number | undefined;
  readonly beside?: NonNullable<Hit['beside']>;
}
export interface Ranking {
  /** The best of each leg, then their neighbours. */
  readonly ranked: readonly Ranked[];
  readonly lexicon?: Lexicon;
}
interface Slots {
  /**
   * Of the part's table and scopes, whatever can be seen of them: what the words are weighed by.
   */
  readonly all: readonly Slot[];
  /** What the part may see. */
  readonly visible: readonly Slot[];
}

export function rank(store: Store, part: SearchPart, { all, visible }: Slots): Ranking {
  const lexicon = part.text === undefined ? undefined : lexiconOf(part.text, all);
  const signals = signalsOf(store, part, lexicon);
  const candidates = visible.map(signals);
  const leg = (signal: 'dense' | 'lexical'): readonly Ranked[] =>
    candidates
      .filter((item) => item[signal] !== undefined)
      .sort((a, b) => bestFirst(a, b, signal))
      .slice(0, part.limit);
  const found = [...new Set([...leg('dense'), ...leg('lexical')])];
  const ranked = part.neighbours
    ? withNeighbours(found, part.neighbours, { visible, signals })
    : found;
  return { ranked, ...(lexicon && { lexicon }) };
}

/** All of what the part may see, in its order, with its signals. */
export function weigh(
  store: Store,
  part: Pick<SearchPart, 'text' | 'vector'>,
  { all, visible }: Slots,
): Ranking {
  const lexicon = part.text === undefined ? undefined : lexiconOf(part.text, all);
  return {
    ranked: visible.map(signalsOf(store, part, lexicon)),
    ...(lexicon && { lexicon }),
  };
}

function signalsOf(
  store: Store,
  { vector }: Pick<SearchPart, 'vector'>,
  lexicon: Lexicon | undefined,
): (slot: Slot) => Ranked {
  const space = vector && spaceOf(store, vector);
  const lexicalOf = lexicon && lexicalSignal(lexicon);
  return (slot) => ({
    slot,
    dense: space && vector ? cosineOf(space, vector, slot.entry.row) : undefined,
    lexical: lexicalOf?.(indexedOf(slot)),
  });
}

/** Signal, then the later beginning, then uuid. */
function bestFirst(a: Ranked, b: Ranked, signal: 'dense' | 'lexical'): number {
  const [rowA, rowB] = [a.slot.entry.row, b.slot.entry.row];
  return (
    (b[signal] ?? 0) - (a[signal] ?? 0) ||
    compare(rowB.valid_from, rowA.valid_from) ||
    compare(rowA.uuid, rowB.uuid) ||
    0
  );
}

/**
 * Each row found and up to `reach` rows on either side of it, once, each with the two rows beside
 * it.
 */
function withNeighbours(
  found: readonly Ranked[],
  reach: number,
  {
    visible,
    signals,
  }: { readonly visible: readonly Slot[]; readonly signals: (slot: Slot) => Ranked },
): readonly Ranked[] {
  const lines = new Map<string, Slot[]>();
  for (const slot of visible) {
    const key = conversationOf(slot);
    lines.set(key, [...(lines.get(key) ?? []), slot]);
  }
  const all = new Map<Slot, Ranked>(found.map((item) => [item.slot, item]));
  const places = new Map<Slot, { readonly line: readonly Slot[]; readonly at: number }>();
  for (const line of lines.values())
    for (const [at, slot] of line.sort(inTurn).entries()) places.set(slot, { line, at });
  for (const { slot } of found) {
    const { line, at } = places.get(slot) ?? { line: [], at: 0 };
    for (const near of line.slice(Math.max(0, at - reach), at + reach + 1))
      if (!all.has(near)) all.set(near, signals(near));
  }
  return [...all.values()].map((item) => {
    const { line, at } = places.get(item.slot) ?? { line: [], at: 0 };
    return { ...item, beside: { previous: uuidAt(line, at - 1), next: uuidAt(line, at + 1) } };
  });
}

const uuidAt = (line: readonly Slot[], at: number): Uuid | null => line[at]?.entry.row.uuid ?? null;

function conversationOf({ entry }: Slot): string {
  return entry.table === 'blocks'
    ? JSON.stringify([entry.row.scope_uuid, entry.row.block_type, entry.row.parent_uuid])
    : entry.row.uuid;
}

const READ_ORDER = ['occurred_at', 'recorded_seq', 'uuid'].map(reader);

function inTurn(a: Slot, b: Slot): number {
  for (const read of READ_ORDER) {
    const order = compare(read(a.entry.row), read(b.entry.row));
    if (order) return order;
  }
  return 0;
}
