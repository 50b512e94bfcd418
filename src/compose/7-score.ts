/**
 * Stage 7: signals, the manifest's formula, the floor, and of those that say the same the best one.
 */

import type { OfferedCandidate } from '../layers/definition.ts';
import { layerKind } from '../layers/index.ts';
import type { Dropped, DropReason } from '../model/candidate.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import type { LayerSettings } from '../model/manifest.ts';
import type { Signals } from '../model/signals/index.ts';
import { calibrate } from '../scoring/calibrate.ts';
import { type CategoryCap, diversify } from '../scoring/diversity.ts';
import { spokenQuery } from '../scoring/signals.ts';
import { roughItemTokens } from '../text/rough-tokens.ts';
import { type JudgeOne, judgeOf } from './judge-candidate.ts';
import { inOrderOfChoice, refusedBy } from './narrower-layers.ts';
import { readsStale, rotate } from './rotation.ts';
import type { StageContext } from './stage.ts';
import type { OfferedLayer, ScoredLayer, ScoredLayers, SearchedLayers } from './state.ts';

type Scored = ScoredLayer['candidates'][number];

export function score(searched: SearchedLayers, context: StageContext): ScoredLayers {
  const seen = new Map<string, string>();
  const told = new Map<string, string>();
  const dropped = new Map<Scored | Dropped, Dropped>();
  const drop = (entry: Dropped): void => void dropped.set(entry, entry);
  for (const entry of searched.dropped) drop(entry);
  const query = spokenQuery(taskOf(searched));
  const scored = new Map<OfferedLayer, ScoredLayer>();
  for (const layer of inOrderOfChoice(searched.offered)) {
    const { name, kind } = layer.settings;
    const { isHistory } = layerKind(kind);
    // A history has no hole where another layer shows a turn: that layer gives it up.
    const { fresh: unseen, shownIn } = withoutSeen(layer, isHistory ? told : seen, drop);
    const refusal = refusedBy(layer, { searched, query, scored, dropped });
    const fresh = withoutRefused(unseen, refusal, drop);
    const isScored = layerKind(kind).isScored && !searched.plan.manifestUsed.bypass.has('score');
    const judgeOne = judgeOf(layer, searched, query);
    const { candidates, recall } = isScored
      ? rank({ layer, fresh, searched, judgeOne, drop })
      : { candidates: fresh.map((candidate) => unranked(candidate, layer)), recall: null };
    const taken = isHistory ? surelyShown(candidates, layer, searched) : candidates;
    for (const { source, isSpare } of taken)
      if (source && !isSpare) seen.set(source.row.root_uuid, name);
    if (isHistory)
      for (const { source } of candidates) if (source) told.set(source.row.root_uuid, name);
    const isShownAbove =
      isScored && candidates.length === 0 && answersAbove(layer, fresh, judgeOne);
    const { settings, unreadSeq, coveredBy, asked } = layer;
    const kept = { settings, unreadSeq, coveredBy, asked };
    scored.set(layer, { ...kept, candidates, recall, isShownAbove, shownIn });
  }
  const layers = searched.offered.flatMap((layer) => scored.get(layer) ?? []);
  warnIfNothing(layers, searched, context);
  return { ...searched, scored: layers, dropped: [...dropped.values()] };
}

/** What tags are looked up in: the query, and the words and tags of its task. */
function taskOf({ plan, offered }: SearchedLayers): string {
  const tasks = offered.flatMap(({ settings, candidates }) =>
    settings.kind === 'task' ? candidates : [],
  );
  const words = tasks.flatMap(({ text, source }) => [
    text,
    ...(source?.table === 'blocks' ? source.row.tags : []),
  ]);
  return [plan.query, ...words].join('\n');
}

const unranked = (candidate: OfferedCandidate, layer: OfferedLayer): Scored =>
  scoredAs(candidate, { signals: {}, score: unscored(candidate, layer), bid: 1 });

/** Written out: to a copy by spread, properties are added one by one, and it grows with each. */
const scoredAs = (
  candidate: OfferedCandidate,
  { signals, score: value, bid }: Pick<Scored, 'signals' | 'score' | 'bid'>,
): Scored => ({
  layer: candidate.layer,
  key: candidate.key,
  source: candidate.source,
  text: candidate.text,
  hit: candidate.hit,
  usage: candidate.usage,
  depth: candidate.depth,
  place: candidate.place,
  isTrusted: candidate.isTrusted,
  isSpare: candidate.isSpare,
  signals,
  score: value,
  bid,
  ...(candidate.standing && { standing: candidate.standing }),
});

/**
 * The score that an item of an unscored layer is explained by: its similarity where the search gave
 * one.
 */
const unscored = (candidate: OfferedCandidate, layer: OfferedLayer): number =>
  layerKind(layer.settings.kind).isScored
    ? Math.max(candidate.hit.lexical ?? 0, candidate.hit.dense ?? 0)
    : 0;

/** Of layers that show the same thing, the one that chooses first keeps it. */
function withoutSeen(
  layer: OfferedLayer,
  seen: ReadonlyMap<string, string>,
  drop: (entry: Dropped) => void,
): { readonly fresh: readonly OfferedCandidate[]; readonly shownIn: ReadonlySet<string> } {
  const shownIn = new Set<string>();
  const fresh = layer.candidates.filter((candidate) => {
    const root = candidate.source?.row.root_uuid;
    const other = root === undefined ? undefined : seen.get(root);
    if (other === undefined) return true;
    shownIn.add(other);
    drop(droppedOf(candidate, { score: null, reason: 'same_text', signals: {} }));
    return false;
  });
  return { fresh, shownIn };
}

/** Without what a narrower layer of the rank keeps out. */
const withoutRefused = (
  candidates: readonly OfferedCandidate[],
  refusal: ReturnType<typeof refusedBy>,
  drop: (entry: Dropped) => void,
): readonly OfferedCandidate[] =>
  candidates.filter((candidate) => {
    const refused = refusal(candidate);
    if (refused)
      drop(droppedOf(candidate, { score: refused.score, reason: refused.reason, signals: {} }));
    return refused === null;
  });

/**
 * The newest turns that half of the room of the history holds, whatever the other layers take.
 * Others may not fit: what is like the question among them stays with the layer that found it until
 * the fit shows them.
 */
function surelyShown(
  turns: readonly Scored[],
  history: OfferedLayer,
  { offered, plan }: SearchedLayers,
): readonly Scored[] {
  const { maxTokens } = history.settings;
  const others = offered.filter((layer) => layer !== history);
  const taken = others.reduce((sum, layer) => sum + mostTaken(layer, history), 0);
  const room = Math.min(maxTokens ?? Number.POSITIVE_INFINITY, plan.budget.totalTokens - taken);
  let left = SURE_SHARE * room;
  const first = turns.findLastIndex(({ text }) => {
    left -= roughItemTokens(text);
    return left < 0;
  });
  return turns.slice(first + 1);
}
const SURE_SHARE = 0.5;

/** Of a layer that gives way later: what is held back for it. */
function mostTaken({ settings, candidates }: OfferedLayer, history: OfferedLayer): number {
  const isBefore =
    settings.rank <= history.settings.rank || layerKind(settings.kind).cut === 'never';
  if (!isBefore) return settings.minTokens;
  const tokens = candidates.reduce((sum, { text }) => sum + roughItemTokens(text), 0);
  return Math.min(settings.maxTokens ?? Number.POSITIVE_INFINITY, tokens);
}

/** Whether an item that another layer shows would have been relevant here. */
function answersAbove(
  layer: OfferedLayer,
  fresh: readonly OfferedCandidate[],
  judgeOne: JudgeOne,
): boolean {
  const own = new Set(fresh);
  return layer.candidates.some(
    (candidate) => !own.has(candidate) && judgeOne(candidate)?.isRelevant === true,
  );
}

interface Ranking {
  readonly layer: OfferedLayer;
  readonly fresh: readonly OfferedCandidate[];
  readonly searched: SearchedLayers;
  readonly judgeOne: JudgeOne;
  readonly drop: (entry: Dropped) => void;
}

/** Judged as if nothing had been served, then rotated, then chosen. */
function rank(ranking: Ranking): Pick<ScoredLayer, 'candidates' | 'recall'> {
  const { layer, searched, drop } = ranking;
  const { plan } = searched;
  const settings = layer.settings.scoring;
  const bidOf = calibrate(settings.formula, {
    lambda: plan.intentUsed.lambda,
    beta: settings.beta,
  });
  const judged = judge(ranking);
  const rotation = rotate(judged, servedTo(layer.settings, searched), settings);
  const diverse = diversify(rotation.items, {
    lambda: settings.mmrLambda,
    nearDuplicate: settings.nearDuplicate,
    limit: layer.settings.topK,
    ...categoriesOf(layer.settings, rotation.items),
  });
  for (const { item, reason } of diverse.dropped)
    drop(droppedOf(item.candidate, { score: item.score, reason, signals: item.signals }));
  const candidates = diverse.kept.map(({ candidate, signals, score: value }) =>
    scoredAs(candidate, { signals, score: value, bid: bidOf(value) }),
  );
  const over = diverse.dropped.filter(({ reason }) => reason === 'category_share');
  const splits = layerKind(layer.settings.kind).splitsQuery;
  if (!splits && !readsStale(settings.formula)) return { candidates, recall: null };
  const recall = {
    sub_queries: splits ? plan.subQueries.map(({ text }) => text) : [],
    sub_queries_left_out: splits ? plan.subQueriesLeftOut : 0,
    fetched: layer.candidates.length,
    scored: judged.length,
    lowered: rotation.lowered,
    sole_answers: rotation.kept,
    over_category_share: over.length,
    taken: candidates.length,
  };
  return { candidates, recall };
}

const servedTo = (
  { scoring }: LayerSettings,
  { servedElsewhere }: SearchedLayers,
): ReadonlySet<string> => servedElsewhere.get(scoring.staleMinutes) ?? new Set();

/** No category takes more than its share while items of others wait (seed 001). */
function categoriesOf(
  { categoryShare, topK }: LayerSettings,
  items: readonly Judged[],
): { readonly categories?: CategoryCap } {
  if (categoryShare >= 1) return {};
  const names = new Map(
    items.map(({ uuid, candidate: { source } }) => [
      uuid as string,
      source?.table === 'memory_open_set' ? (source.row.category ?? source.row.class) : '',
    ]),
  );
  const most = Math.max(1, Math.ceil(topK * categoryShare));
  return { categories: { most, of: (uuid) => names.get(uuid) ?? '' } };
}

/** The candidates at or above the floors, with their signals. */
function judge({ fresh, judgeOne, drop }: Ranking): readonly Judged[] {
  const passing: Judged[] = [];
  let isAnyRelevant = false;
  for (const candidate of fresh) {
    const verdict = judgeOne(candidate);
    if (!verdict) continue;
    const { signals, score: value, reason, isRelevant } = verdict;
    if (reason !== null) {
      drop(droppedOf(candidate, { score: value, reason, signals }));
      continue;
    }
    isAnyRelevant ||= isRelevant;
    const { uuid, valid_from, root_uuid: root } = verdict.row;
    const { text, depth, place } = candidate;
    passing.push({ candidate, signals, score: value, text, root, depth, place, uuid, valid_from });
  }
  if (isAnyRelevant) return passing;
  for (const item of passing)
    drop(droppedOf(item.candidate, { score: item.score, reason: 'floor', signals: item.signals }));
  return [];
}

/**
 * A candidate above the floor. Hundreds are judged and dozens kept, so only those are made whole.
 */
interface Judged {
  readonly candidate: OfferedCandidate;
  readonly signals: Signals;
  readonly score: number;
  readonly text: string;
  readonly root: Uuid;
  readonly depth: number;
  readonly place: number;
  readonly uuid: Uuid;
  readonly valid_from: Instant;
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

/**
 * "Nothing relevant" is an answer, and a warning says it: unless what is relevant stands in another
 * layer, as the last turns do in the history.
 */
function warnIfNothing(
  layers: readonly ScoredLayer[],
  searched: SearchedLayers,
  context: StageContext,
): void {
  const searchable = layers.filter((layer) => layerKind(layer.settings.kind).isScored);
  const isAsked = searched.plan.query.trim() !== '' && searchable.length > 0;
  if (isAsked && searchable.every(isWithoutAnswer)) {
    context.warnings.push({
      code: 'NOTHING_RELEVANT',
      message:
        'Nothing relevant was found in ' +
        `${searchable.map((layer) => `\`${layer.settings.name}\``).join(', ')}.`,
    });
  }
}

const isWithoutAnswer = ({ candidates, isShownAbove }: ScoredLayer): boolean =>
  candidates.length === 0 && !isShownAbove;
