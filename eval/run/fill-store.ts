/**
 * A store of a suite into the ledger, in the order in which its items came to be: the clock stands
 * at each item's own time when it is written.
 */
import type { ContextEngine, FactInput, ScopeUuid, WriteResult } from '../../src/index.ts';
import { ContextEngineError } from '../../src/index.ts';
import type { EvalStore, KeyedFact, KeyedTurn, KeyedTyped } from '../suite.ts';
import { recordUse } from './record-use.ts';

export interface Filled {
  readonly scope: ScopeUuid;
  readonly nowMs: number;
}

interface Filling {
  readonly store: EvalStore;
  readonly clock: { ms: number };
  /** Stores filled before this one, by key. */
  readonly filled: ReadonlyMap<string, Filled>;
  /** Version uuid to key, and the order of writing; grows. */
  readonly items: Map<string, { readonly key: string; readonly ordinal: number }>;
}

type Item =
  | { readonly kind: 'turn'; readonly at: number; readonly item: KeyedTurn }
  | { readonly kind: 'fact'; readonly at: number; readonly item: KeyedFact }
  | { readonly kind: 'typed'; readonly at: number; readonly item: KeyedTyped }
  | { readonly kind: 'use'; readonly at: number; readonly item: KeyedFact };

const BATCH = 200;

export async function fillStore(engine: ContextEngine, filling: Filling): Promise<Filled> {
  const { store, clock, filled, items } = filling;
  const nowMs = Date.parse(store.now);
  const timeline = timelineOf(store, nowMs);
  clock.ms = timeline[0]?.at ?? nowMs;
  const { scope_block_uuid: scope } = await engine.scopes.create({
    type: store.scopeType,
    title: store.title,
    inherits: store.inherits.map((key) => outerOf(key, filled)),
  });
  const roots = new Map<string, string>();
  const note = (result: WriteResult, keys: readonly string[]): void => {
    result.receipts.forEach((receipt, index) => {
      const key = keys[index] ?? '';
      if (receipt.uuid === null || receipt.root_uuid === null)
        throw new ContextEngineError('EVAL.DATA', {
          message: `\`${key}\` was not stored: \`${receipt.outcome}\` \`${receipt.reason ?? ''}\`.`,
          fix: 'Correct the item in the data set.',
          where: { field: key },
        });
      items.set(receipt.uuid, { key, ordinal: items.size });
      roots.set(key, receipt.root_uuid);
    });
  };
  for (const batch of batchesOf(timeline)) {
    const [first] = batch;
    if (!first) continue;
    clock.ms = first.at;
    const keys = batch.map(({ item }) => item.key);
    if (first.kind === 'use') {
      const root = roots.get(first.item.key) ?? '';
      await recordUse(engine, { store, scope, root, fact: first.item });
    } else if (first.kind === 'typed') {
      const { key, subject, collection, property, value, ...options } = first.item;
      note(await engine.setTyped(scope, subject, collection, property, value, options), [key]);
    } else if (first.kind === 'turn') {
      const turns = batch.flatMap((entry) =>
        entry.kind === 'turn' ? [withoutKey(entry.item)] : [],
      );
      note(await engine.append(scope, turns), keys);
    } else {
      const facts = batch.flatMap((entry) => (entry.kind === 'fact' ? [entry.item] : []));
      note(
        await engine.remember(
          scope,
          facts.map((fact) => toFact(fact, roots)),
        ),
        keys,
      );
    }
  }
  clock.ms = nowMs;
  await embedAll(engine);
  return { scope, nowMs };
}

function outerOf(key: string, filled: ReadonlyMap<string, Filled>): ScopeUuid {
  const outer = filled.get(key);
  if (outer) return outer.scope;
  throw new ContextEngineError('EVAL.DATA', {
    message: `A store inherits from \`${key}\`, which is not there.`,
    fix: 'Write the outer store before the one that inherits from it.',
    where: { field: 'inherits' },
  });
}

const withoutKey = ({ key: _key, ...turn }: KeyedTurn): Omit<KeyedTurn, 'key'> => turn;

function toFact(
  { key: _key, uses: _uses, replaces, ...fact }: KeyedFact,
  roots: ReadonlyMap<string, string>,
): FactInput {
  if (replaces === undefined) return fact;
  const root = roots.get(replaces);
  if (root !== undefined) return { ...fact, replaces: root };
  throw new ContextEngineError('EVAL.DATA', {
    message: `A fact replaces \`${replaces}\`, which was not there at its time.`,
    fix: 'Give the fact that is replaced an earlier `valid_from`.',
    where: { field: 'replaces' },
  });
}

function timelineOf(store: EvalStore, nowMs: number): readonly Item[] {
  const timeOf = (value: string | Date | undefined): number =>
    value === undefined ? nowMs : new Date(value).getTime();
  const all: Item[] = [
    ...store.turns.map((item): Item => ({ kind: 'turn', at: timeOf(item.occurred_at), item })),
    ...store.facts.map((item): Item => ({ kind: 'fact', at: timeOf(item.valid_from), item })),
    ...store.typed.map((item): Item => ({ kind: 'typed', at: timeOf(item.valid_from), item })),
    ...store.facts.flatMap((item) =>
      (item.uses ?? []).map((use): Item => ({ kind: 'use', at: timeOf(use), item })),
    ),
  ];
  // stable: items of one time stay in the order of the file
  return all.sort((a, b) => a.at - b.at);
}

/**
 * Items of one kind and one time are one write; a typed value, and a fact that replaces another,
 * stand alone.
 */
function batchesOf(timeline: readonly Item[]): readonly (readonly Item[])[] {
  const batches: Item[][] = [];
  for (const entry of timeline) {
    const batch = batches.at(-1);
    const last = batch?.at(-1);
    const joins =
      last?.kind === entry.kind &&
      last.at === entry.at &&
      (batch?.length ?? 0) < BATCH &&
      !standsAlone(entry) &&
      !standsAlone(last);
    if (joins) batch?.push(entry);
    else batches.push([entry]);
  }
  return batches;
}

const standsAlone = (entry: Item): boolean =>
  entry.kind === 'typed' ||
  entry.kind === 'use' ||
  (entry.kind === 'fact' && entry.item.replaces !== undefined);

async function embedAll(engine: ContextEngine): Promise<void> {
  for (;;) {
    const { embedded, pending } = await engine.embedPending();
    if (pending === 0 || embedded === 0) return;
  }
}
