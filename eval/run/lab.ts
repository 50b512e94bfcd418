/**
 * The engine under evaluation: the real one, embedded and in memory, filled with the stores of a
 * suite and asked through `composeBlockContext`.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Composition, ContextEngine, EngineOptions } from '../../src/index.ts';
import { createContextEngine, createTokenCounter, LOCAL_PROFILE } from '../../src/index.ts';
import type { EvalQuestion, EvalSuite } from '../suite.ts';
import { contentTokens, type LayerTokens, layerTokens } from './content-tokens.ts';
import type { Filled } from './fill-store.ts';
import { fillStore } from './fill-store.ts';
import type { BaseManifest, Variant } from './manifest-variant.ts';
import { referenceOf, writeVariants } from './manifest-variant.ts';
import { writeUseManifests } from './record-use.ts';

/** An item of the layer's ranking, before the budget cut it. */
export interface RankedItem {
  /** Key of the data set; the version uuid where the item has none. */
  readonly key: string;
  readonly score: number | null;
  /** `served`, `truncated`, or why it was dropped. */
  readonly fate: string;
}
export interface Asked {
  /** Best first; equal scores: the older item first. */
  readonly ranking: readonly RankedItem[];
  /** Whether the layer scores its items; one that does not has an order, but no ranking. */
  readonly isScored: boolean;
  /** Keys of all items that stand whole in the context, whatever their layer. */
  readonly whole: ReadonlySet<string>;
  /** The formula of the layer, where it scores. */
  readonly formula: string | undefined;
  readonly tokens: number;
  /** Of `tokens`, those of what was stored: the rest is markup, ids and times. */
  readonly contentTokens: number;
  /** What items are called in the text. */
  readonly ids: IdTokens;
  /** Both by layer. */
  readonly layers: Readonly<Record<string, LayerTokens>>;
  readonly text: string;
  readonly composeMs: number;
}

/** Sums over the ids of a text. */
export interface IdTokens {
  readonly count: number;
  /** Of the ids alone, `17`. */
  readonly tokens: number;
  /** With what sets them off in the text, `[17]`. */
  readonly marked: number;
}

export interface Lab extends AsyncDisposable {
  ask(question: EvalQuestion, variant: Pick<Variant, 'label'>): Promise<Asked>;
  readonly filledMs: number;
  readonly items: number;
}

export interface LabOptions {
  readonly suite: EvalSuite;
  readonly manifest: BaseManifest;
  readonly variants: readonly Variant[];
  /** Files of collections that the manifest names. */
  readonly collections?: readonly string[];
  readonly embedder?: EngineOptions['embedder'];
  readonly onProgress?: (text: string) => void;
}

/** Opens the engine and fills it. Rejects with a coded error; nothing stays open then. */
export async function openLab(options: LabOptions): Promise<Lab> {
  const { suite, manifest, variants, onProgress } = options;
  const folder = await mkdtemp(join(tmpdir(), 'contextengine-eval-'));
  const clock = { ms: 0 };
  let engine: ContextEngine | undefined;
  const close = async (): Promise<void> => {
    await engine?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    engine = await createContextEngine({
      database: { inMemory: true },
      manifests: [
        ...(await writeVariants(manifest, variants, folder)),
        ...(await writeUseManifests(suite.stores, folder)),
        ...(options.collections ?? []),
      ],
      embedder: options.embedder ?? 'builtin',
      clock: () => clock.ms,
      newId: countedIds(),
    });
    const started = performance.now();
    const filled = new Map<string, Filled>();
    const items = new Map<string, { readonly key: string; readonly ordinal: number }>();
    for (const store of suite.stores) {
      onProgress?.(`filling ${store.key}`);
      filled.set(store.key, await fillStore(engine, { store, clock, filled, items }));
    }
    const filledMs = performance.now() - started;
    // Every suite's manifest counts with this model's tokenizer.
    const count = await createTokenCounter([COUNTED_AS]);
    const open = engine;
    return {
      filledMs,
      items: items.size,
      async ask(question, variant) {
        const store = filled.get(question.store);
        if (!store)
          throw new RangeError(
            `Question ${question.id} is asked of the unknown store ${question.store}.`,
          );
        clock.ms = store.nowMs;
        const begun = performance.now();
        const composition = await open.composeBlockContext({
          scope_block_uuid: store.scope,
          intent: question.intent,
          query: question.query,
          permission_profile: LOCAL_PROFILE,
          manifest: referenceOf(manifest, variant),
          trace: true,
          ...(suite.inputs && { inputs: suite.inputs }),
          ...(question.asOf !== undefined && { as_of: question.asOf }),
        });
        return toAsked(composition, {
          layer: question.layer,
          items,
          composeMs: performance.now() - begun,
          count: (text) => count(text, COUNTED_AS),
        });
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const COUNTED_AS = 'gpt-4o';

/**
 * The same ids on every run: they break ties, and their tokens count. As unlike each other as
 * random ones.
 */
function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    const hex = createHash('sha256').update(`eval ${count}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}

interface Reading {
  readonly layer: string;
  readonly items: ReadonlyMap<string, { readonly key: string; readonly ordinal: number }>;
  readonly composeMs: number;
  readonly count: (text: string) => number;
}

function toAsked(composition: Composition, { layer, items, composeMs, count }: Reading): Asked {
  const served = composition.items.filter((item) => item.layer === layer);
  const dropped = (composition.trace?.dropped ?? []).filter((item) => item.layer === layer);
  const formula = composition.trace?.formulas[layer];
  const isScored = formula !== undefined;
  const place = (uuid: string | null): { readonly key: string; readonly ordinal: number } =>
    items.get(uuid ?? '') ?? { key: uuid ?? '', ordinal: Number.MAX_SAFE_INTEGER };
  const ranked = [
    ...served.map((item) => ({
      ...place(item.uuid),
      score: item.score,
      fate: item.truncated ? 'truncated' : 'served',
    })),
    ...dropped.map((item) => ({ ...place(item.uuid), score: item.score, fate: item.reason })),
  ];
  const ranking = isScored
    ? ranked
        .filter((item) => item.score !== null)
        .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.ordinal - b.ordinal)
    : ranked;
  return {
    ranking: ranking.map(({ key, score, fate }) => ({ key, score, fate })),
    isScored,
    formula,
    whole: new Set(
      composition.items.filter((item) => !item.truncated).map((item) => place(item.uuid).key),
    ),
    tokens: composition.tokens.used,
    contentTokens: contentTokens(composition, count),
    ids: idTokens(composition, count),
    layers: layerTokens(composition, count),
    text: composition.text,
    composeMs,
  };
}

type Count = Reading['count'];

/**
 * Of each item that has an id: the id as it begins the item's first line, `[17]`, `#17` or, before
 * a typed value, `17`.
 */
function idTokens({ text, items }: Pick<Composition, 'text' | 'items'>, count: Count): IdTokens {
  const lines = text.split('\n');
  const ids = items.flatMap(({ id }) => {
    if (id === null) return [];
    const forms = [`[${id}]`, `#${id}`, id];
    const mark = forms.find((form) => lines.some((line) => line.startsWith(form)));
    return mark === undefined ? [] : [{ tokens: count(id), marked: count(mark) }];
  });
  return {
    count: ids.length,
    tokens: ids.reduce((sum, { tokens }) => sum + tokens, 0),
    marked: ids.reduce((sum, { marked }) => sum + marked, 0),
  };
}
