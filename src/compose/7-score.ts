/**
 * Stage 7: signals, the manifest's formula, the floor, and of those that say the same the best one.
 */

import type { OfferedCandidate } from '../layers/definition.ts';
import { layerKind } from '../layers/index.ts';
import type { Dropped, DropReason } from '../model/candidate.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { needsClasses, type Signals } from '../model/signals/index.ts';
import { calibrate } from '../scoring/calibrate.ts';
import { needsConversation, needsWords, type ReadPool, readPool } from '../scoring/conversation.ts';
import { diversify } from '../scoring/diversity.ts';
import { scoreOf } from '../scoring/score.ts';
import type { SpokenQuery } from '../scoring/signals.ts';
import { signalsOf, spokenQuery } from '../scoring/signals.ts';
import { searchText } from '../text/search-text.ts';
import type { StageContext } from './stage.ts';
import type {
  EnrichedPlan,
  OfferedLayer,
  ScoredLayer,
  ScoredLayers,
  SearchedLayers,
} from './state.ts';

type Scored = ScoredLayer['candidates'][number];

export function score(searched: SearchedLayers, context: StageContext): ScoredLayers {
  const seen = new Set<string>();
  const dropped = new Map<Scored | Dropped, Dropped>();
  const drop = (entry: Dropped): void => void dropped.set(entry, entry);
  for (const entry of searched.dropped) drop(entry);
  const query = spokenQuery(searched.plan.query);
  const byRank = [...searched.offered].sort((a, b) => a.settings.rank - b.settings.rank);
  const scored = new Map<OfferedLayer, ScoredLayer>();
  for (const layer of byRank) {
    const fresh = withoutSeen(layer, seen, drop);
    const isScored =
      layerKind(layer.settings.kind).isScored && !searched.plan.manifestUsed.bypass.has('score');
    const candidates = isScored
      ? rank({ layer, fresh, searched, query, drop })
      : fresh.map((candidate) => ({
          ...candidate,
          signals: {},
          score: unscored(candidate, layer),
          bid: 1,
        }));
    for (const { source, isSpare } of candidates)
      if (source && !isSpare) seen.add(source.row.root_uuid);
    scored.set(layer, { settings: layer.settings, hasGap: layer.hasGap, candidates });
  }
  const layers = searched.offered.flatMap((layer) => scored.get(layer) ?? []);
  warnIfNothing(layers, searched, context);
  return { ...searched, scored: layers, dropped: [...dropped.values()] };
}

/**
 * The score that an item of an unscored layer is explained by: its similarity where the search gave
 * one.
 */
const unscored = (candidate: OfferedCandidate, layer: OfferedLayer): number =>
  layerKind(layer.settings.kind).isScored
    ? Math.max(candidate.hit.lexical ?? 0, candidate.hit.dense ?? 0)
    : 0;

/** One rendering per thing: the layer of the better rank keeps it. */
function withoutSeen(
  layer: OfferedLayer,
  seen: ReadonlySet<string>,
  drop: (entry: Dropped) => void,
): readonly OfferedCandidate[] {
  return layer.candidates.filter((candidate) => {
    const root = candidate.source?.row.root_uuid;
    if (root === undefined || !seen.has(root)) return true;
    drop(droppedOf(candidate, { score: null, reason: 'same_text', signals: {} }));
    return false;
  });
}

interface Ranking {
  readonly layer: OfferedLayer;
  readonly fresh: readonly OfferedCandidate[];
  readonly searched: SearchedLayers;
  readonly query: SpokenQuery;
  readonly drop: (entry: Dropped) => void;
}

function rank({ layer, fresh, searched, query, drop }: Ranking): readonly Scored[] {
  const { plan } = searched;
  const settings = layer.settings.scoring;
  const { lambda } = plan.intentUsed;
  const bidOf = calibrate(settings.formula, { lambda, beta: settings.beta });
  const floor = plan.intentUsed.floor ?? settings.floor;
  const pool = poolOf(layer, searched.plan);
  const readsClasses = needsClasses(settings.formula.names);
  const readsConversation = needsConversation(settings.formula.names);
  const ran = {
    dense: searched.hasDenseLeg,
    lexical: searched.hasLexicalLeg,
    words: pool?.hasWords === true,
  };
  const passing: Judged[] = [];
  for (const candidate of fresh) {
    if (!candidate.source) continue;
    const signals = signalsOf({
      source: candidate.source,
      legs: candidate.hit,
      ran,
      usage: candidate.usage,
      now: plan.validAt,
      query,
      depth: candidate.depth,
      standing: readsClasses ? (candidate.standing ?? UNLINKED) : null,
      lambda,
      settings,
      maxsim: pool?.maxsimOf(candidate.source.row.uuid) ?? null,
      conversation: (readsConversation && pool?.conversationOf(candidate.source.row.uuid)) || null,
    });
    const { score: value, isFinite: isNumber } = scoreOf(settings.formula, signals);
    const { uuid, valid_from } = candidate.source.row;
    if (!isNumber) drop(droppedOf(candidate, { score: 0, reason: 'non_finite_score', signals }));
    else if (value <= 0 || value < floor)
      drop(droppedOf(candidate, { score: value, reason: 'floor', signals }));
    else passing.push({ candidate, signals, score: value, text: candidate.text, uuid, valid_from });
  }
  const isRelevant = passing.some((item) => item.score >= settings.floorOfBest);
  if (!isRelevant)
    for (const item of passing)
      drop(
        droppedOf(item.candidate, { score: item.score, reason: 'floor', signals: item.signals }),
      );
  const diverse = diversify(isRelevant ? passing : [], {
    lambda: settings.mmrLambda,
    limit: layer.settings.topK,
  });
  for (const { item, reason } of diverse.dropped)
    drop(droppedOf(item.candidate, { score: item.score, reason, signals: item.signals }));
  return diverse.kept.map(({ candidate, signals, score: value }) => ({
    ...candidate,
    signals,
    score: value,
    bid: bidOf(value),
  }));
}

const UNLINKED = { isAbsorbed: false, isReplaced: false };

/**
 * A candidate above the floor. Hundreds are judged and dozens kept, so only those are made whole.
 */
interface Judged {
  readonly candidate: OfferedCandidate;
  readonly signals: Signals;
  readonly score: number;
  readonly text: string;
  readonly uuid: Uuid;
  readonly valid_from: Instant;
}

/** Only where the formula asks for it: reading a pool of 200 turns costs a few milliseconds. */
function poolOf(layer: OfferedLayer, { query, similarity }: EnrichedPlan): ReadPool | null {
  const { scoring } = layer.settings;
  if (!layer.found || !(needsConversation(scoring.formula.names) || needsWords(scoring)))
    return null;
  const rows = layer.found.hits.flatMap((hit) =>
    'content' in hit.row
      ? [
          {
            uuid: hit.row.uuid,
            text: searchText(hit.row),
            block: hit.table === 'blocks' ? hit.row : null,
            beside: hit.beside ?? null,
          },
        ]
      : [],
  );
  return readPool({ rows, query, lexicon: layer.found.lexicon ?? null, similarity });
}

const droppedOf = (
  candidate: OfferedCandidate,
  {
    score,
    reason,
    signals,
  }: { readonly score: number | null; readonly reason: DropReason; readonly signals: Signals },
): Dropped => ({
  layer: candidate.layer,
  uuid: candidate.source?.row.uuid ?? null,
  root_uuid: candidate.source?.row.root_uuid ?? null,
  score,
  reason,
  signals,
});

/** "Nothing relevant" is an answer, and a warning says it. */
function warnIfNothing(
  layers: readonly ScoredLayer[],
  searched: SearchedLayers,
  context: StageContext,
): void {
  const searchable = layers.filter((layer) => layerKind(layer.settings.kind).isScored);
  const isAsked = searched.plan.query.trim() !== '' && searchable.length > 0;
  if (isAsked && searchable.every((layer) => layer.candidates.length === 0)) {
    context.warnings.push({
      code: 'NOTHING_RELEVANT',
      message:
        'Nothing relevant was found in ' +
        `${searchable.map((layer) => `\`${layer.settings.name}\``).join(', ')}.`,
    });
  }
}
