/**
 * A layer that searches blocks of every type, beside one of the same rank that is made for
 * documents: what both find belongs to the latter. It chooses first, and what it finds too weak, or
 * a repetition, the broader layer does not bring back. What is beyond its `top_k` stays free: the
 * broader layer judges that by its own formula.
 */
import { layerKind } from '../layers/index.ts';
import type { Dropped, DropReason } from '../model/candidate.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { SpokenQuery } from '../scoring/signals.ts';
import { judgeOf } from './judge-candidate.ts';
import type { OfferedLayer, ScoredLayer, SearchedLayers } from './state.ts';

type Candidate = OfferedLayer['candidates'][number];

/** With `block_types` of its own it is as narrow as any. */
const isBroad = ({ kind, blockTypes }: LayerSettings): boolean =>
  layerKind(kind).searchesAllBlocks && blockTypes.length === 0;

const narrowerThan = (
  layer: OfferedLayer,
  all: readonly OfferedLayer[],
): readonly OfferedLayer[] =>
  isBroad(layer.settings)
    ? all.filter(
        ({ settings }) =>
          settings.rank === layer.settings.rank && layerKind(settings.kind).holdsDocuments,
      )
    : [];

/** By rank; within one, a layer stands behind those that are narrower. */
export function inOrderOfChoice(offered: readonly OfferedLayer[]): readonly OfferedLayer[] {
  const placeOf = (layer: OfferedLayer): number =>
    layer.settings.rank + (narrowerThan(layer, offered).length > 0 ? 0.5 : 0);
  return [...offered].sort((a, b) => placeOf(a) - placeOf(b));
}

export interface Choices {
  readonly searched: SearchedLayers;
  /** What tags are looked up in. */
  readonly query: SpokenQuery;
  /** The layers that have chosen. */
  readonly scored: ReadonlyMap<OfferedLayer, ScoredLayer>;
  readonly dropped: ReadonlyMap<unknown, Dropped>;
}

/** Why a narrower layer keeps an item out of this one; null = none does. */
export function refusedBy(
  layer: OfferedLayer,
  { searched, query, scored, dropped }: Choices,
): (candidate: Candidate) => Pick<Dropped, 'reason' | 'score'> | null {
  const narrower = narrowerThan(layer, searched.offered);
  if (narrower.length === 0 || searched.plan.manifestUsed.bypass.has('score')) return () => null;
  const names = new Set(narrower.map(({ settings }) => settings.name));
  const refused = new Map(
    [...dropped.values()].flatMap((item) =>
      names.has(item.layer) && !LEAVES_FREE.has(item.reason)
        ? [[item.root_uuid as string | null, item] as const]
        : [],
    ),
  );
  const judges = narrower.map((other) => ({
    reads: readerOf(other.settings),
    found: new Set(other.candidates.map(({ source }) => source?.row.root_uuid)),
    isWithout: (scored.get(other)?.candidates.length ?? 0) === 0,
    judgeOne: judgeOf(other, searched, query),
  }));
  return (candidate) => {
    const root = candidate.source?.row.root_uuid;
    const own = root === undefined ? undefined : refused.get(root);
    if (own) return own;
    // Its search ends earlier than this one: what it did not see is held against its floor as well.
    for (const { reads, found, isWithout, judgeOne } of judges) {
      if (found.has(root) || !reads(candidate)) continue;
      const verdict = judgeOne(candidate);
      if (verdict && (verdict.reason !== null || (isWithout && !verdict.isRelevant)))
        return { reason: verdict.reason ?? 'floor', score: verdict.score };
    }
    return null;
  };
}

const LEAVES_FREE: ReadonlySet<DropReason> = new Set(['limit', 'category_share']);

/** Whether a block is of those that the layer searches. */
const readerOf = ({ kind, blockTypes, classes, tags }: LayerSettings) => {
  const types = blockTypes.length > 0 ? blockTypes : layerKind(kind).blockTypes;
  return ({ source }: Candidate): boolean => {
    if (source?.table !== 'blocks') return false;
    const { block_type: type, metadata, tags: own } = source.row;
    return (
      types.includes(type) &&
      (classes.length === 0 || classes.includes(String(metadata['class']))) &&
      tags.every((tag) => own.includes(tag))
    );
  };
};
