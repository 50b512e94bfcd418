/**
 * Ranked retrieval by brute force: every row of the scopes is looked at, and judged at the head of
 * its own scope.
 */

import { ContextEngineError } from '../../src/codes/errors.ts';
import type {
  Hit,
  KeysPart,
  Lexicon,
  ListPart,
  PartResult,
  QueryPart,
  QueryRequest,
  QueryResult,
  SearchPart,
} from '../../src/cxri/contract.ts';
import type { LedgerRow } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import { headOf, isVisible } from '../../src/model/validity.ts';
import { compare, reader, toPredicate } from './filter.ts';
import { rank, weigh } from './search.ts';
import { allSlots, type ScopeState, type Slot, type Store, type TenantState } from './store.ts';
import { usageAt } from './usage.ts';

interface View {
  readonly store: Store;
  readonly request: QueryRequest;
  readonly tenant: TenantState | undefined;
}

export function query(store: Store, request: QueryRequest): QueryResult {
  const view: View = { store, request, tenant: store.tenants.get(request.tenant) };
  return { parts: request.parts.map((part) => answer(view, part)), next_edge: nextEdge(view) };
}

/** A part that fails does not take the others with it. */
function answer(view: View, part: QueryPart): PartResult {
  try {
    if (part.mode === 'search') return { id: part.id, ok: true, ...search(view, part) };
    if (part.mode === 'keys') return { id: part.id, ok: true, ...byKeys(view, part) };
    return {
      id: part.id,
      ok: true,
      hits: part.mode === 'list' ? list(view, part) : linked(view, part),
    };
  } catch (error) {
    if (!(error instanceof ContextEngineError)) throw error;
    return { id: part.id, ok: false, error: { code: error.code, message: error.message } };
  }
}

/** The scopes of the position, in its order, that the part may see. */
const scopesOf = (view: View, part: QueryPart): readonly ScopeState[] =>
  view.request.position.flatMap(({ scope }) => {
    const state =
      part.scopes === undefined || part.scopes.includes(scope)
        ? view.tenant?.scopes.get(scope)
        : undefined;
    return state ? [state] : [];
  });

const isSeen = (view: View, row: LedgerRow): boolean => {
  const head = headOf(view.request.position, row.scope_uuid);
  return head !== undefined && isVisible(row, view.request.valid_at, head);
};

function visible(view: View, part: QueryPart): readonly Slot[] {
  const accepts = part.filter ? toPredicate(part.table, part.filter) : () => true;
  return scopesOf(view, part).flatMap((scope) =>
    scope.slots[part.table].filter(
      (slot) => isSeen(view, slot.entry.row) && accepts(slot.entry.row),
    ),
  );
}

const toHit = (view: View, slot: Slot, signals: Hit['signals']): Hit => ({
  ...slot.entry,
  signals,
  usage: usageAt(view.tenant, slot.entry.row, view.request.usage_position),
});

function list(view: View, part: ListPart): readonly Hit[] {
  const { by, direction } = part.order;
  const sign = direction === 'asc' ? 1 : -1;
  const read = reader(by);
  const tie = part.table === 'blocks' && by === 'occurred_at' ? reader('recorded_seq') : () => 0;
  const order = (a: LedgerRow, b: LedgerRow): number =>
    nullsLast(read(a), read(b)) ??
    sign * ((compare(read(a), read(b)) || compare(tie(a), tie(b)) || compare(a.uuid, b.uuid)) ?? 0);
  const ordered = [...visible(view, part)].sort((a, b) => order(a.entry.row, b.entry.row));
  return (part.nearest ? nearestFirst(view, part, ordered) : ordered)
    .slice(0, part.limit)
    .map((slot) => toHit(view, slot, {}));
}

/** Scope by scope in the order of the position, what is shadowed at the end. */
function nearestFirst(view: View, part: ListPart, ordered: readonly Slot[]): readonly Slot[] {
  const { once, shadow } = part.nearest ?? {};
  const taken = new Set<string>();
  const shown: Slot[] = [];
  const shadowed: Slot[] = [];
  for (const { scope } of view.request.position) {
    const before = new Set(taken);
    const given = new Set<string>();
    for (const slot of ordered.filter(({ entry }) => entry.row.scope_uuid === scope)) {
      const own = once && keyOf(slot, once);
      if (own !== undefined && given.has(own)) continue;
      if (own !== undefined) given.add(own);
      const key = shadow && keyOf(slot, shadow);
      if (key !== undefined) taken.add(key);
      if (key !== undefined && before.has(key)) shadowed.push(slot);
      else shown.push(slot);
    }
  }
  return [...shown, ...shadowed];
}

const keyOf = ({ entry }: Slot, columns: readonly string[]): string =>
  JSON.stringify(columns.map((column) => reader(column)(entry.row) ?? null));

const nullsLast = (a: unknown, b: unknown): number | null =>
  ((a ?? null) === null) !== ((b ?? null) === null) ? ((a ?? null) === null ? 1 : -1) : null;

function search(
  view: View,
  part: SearchPart,
): { readonly hits: readonly Hit[]; readonly lexicon?: Lexicon } {
  const all = scopesOf(view, part).flatMap((scope) =>
    scope.slots[part.table].filter(({ entry }) => entry.row.status === 'live'),
  );
  const { ranked, lexicon } = rank(view.store, part, { all, visible: visible(view, part) });
  const hits = ranked.map(({ slot, dense, lexical, beside }) => ({
    ...toHit(view, slot, {
      ...(dense !== undefined && { dense }),
      ...(lexical !== undefined && { lexical }),
    }),
    ...(beside && { beside }),
  }));
  return { hits, ...(lexicon && { lexicon }) };
}

function byKeys(
  view: View,
  part: KeysPart,
): { readonly hits: readonly Hit[]; readonly lexicon?: Lexicon } {
  const all = scopesOf(view, part).flatMap((scope) =>
    scope.slots[part.table].filter(({ entry }) => entry.row.status === 'live'),
  );
  const seen = new Map(visible(view, part).map((slot) => [slot.entry.row.uuid, slot]));
  const asked = [...new Set(part.uuids)].flatMap((uuid) => seen.get(uuid) ?? []);
  const { ranked, lexicon } = weigh(view.store, part, { all, visible: asked });
  const hits = ranked.slice(0, part.limit).map(({ slot, dense, lexical }) =>
    toHit(view, slot, {
      ...(dense !== undefined && { dense }),
      ...(lexical !== undefined && { lexical }),
    }),
  );
  return { hits, ...(lexicon && { lexicon }) };
}

/**
 * The visible versions of what visible `pinned` links of the scopes name, by (scope order, ordinal,
 * link uuid).
 */
function linked(view: View, part: Extract<QueryPart, { mode: 'linked' }>): readonly Hit[] {
  const from: ReadonlySet<Uuid> = new Set(
    part.from ?? view.request.position.map(({ scope }) => scope),
  );
  const targets = new Map(visible(view, part).map((slot) => [slot.entry.row.root_uuid, slot]));
  const roots = scopesOf(view, part).flatMap((scope) =>
    scope.slots.context_links
      .flatMap(({ entry }) =>
        entry.table === 'context_links' &&
        entry.row.link_type === part.link_type &&
        from.has(entry.row.from_uuid) &&
        isSeen(view, entry.row)
          ? [entry.row]
          : [],
      )
      .sort((a, b) => a.ordinal - b.ordinal || compare(a.uuid, b.uuid) || 0)
      .map((link) => link.to_uuid),
  );
  return [...new Set(roots)]
    .flatMap((root) => targets.get(root) ?? [])
    .slice(0, part.limit)
    .map((slot) => toHit(view, slot, {}));
}

/** The next beginning or known end of a row that is believed at its scope's head. */
function nextEdge(view: View): Instant | null {
  const { valid_at: validAt, position } = view.request;
  let next: Instant | null = null;
  for (const { scope, head } of position) {
    const state = view.tenant?.scopes.get(scope);
    for (const { entry } of state ? allSlots(state) : []) {
      const { row } = entry;
      if (
        row.status !== 'live' ||
        row.recorded_seq > head ||
        (row.retired_seq !== null && row.retired_seq <= head)
      )
        continue;
      const until = row.closed_seq !== null && row.closed_seq > head ? null : row.valid_until;
      for (const edge of [row.valid_from, until])
        if (edge !== null && edge > validAt && (next === null || edge < next)) next = edge;
    }
  }
  return next;
}
