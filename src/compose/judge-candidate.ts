/** What the manifest's formula says of one candidate, and what its signals are made of. */
import type { OfferedCandidate } from '../layers/definition.ts';
import { layerKind } from '../layers/index.ts';
import type { AnyRow } from '../model/block.ts';
import type { DropReason } from '../model/candidate.ts';
import { needsClasses, type Signals } from '../model/signals/index.ts';
import {
  needsConversation,
  needsLatest,
  needsWords,
  type ReadPool,
  readPool,
} from '../scoring/conversation.ts';
import { isCourtesy } from '../scoring/courtesy.ts';
import { relevanceOf, scoreOf } from '../scoring/score.ts';
import { type SpokenQuery, signalsOf } from '../scoring/signals.ts';
import { searchText } from '../text/search-text.ts';
import type { EnrichedPlan, OfferedLayer, SearchedLayers } from './state.ts';

export interface Verdict {
  readonly row: AnyRow['row'];
  readonly signals: Signals;
  readonly score: number;
  /** Why it is dropped; null = it stands. */
  readonly reason: DropReason | null;
  /** It stands, and is as good as the best of a layer has to be. */
  readonly isRelevant: boolean;
}
/** null for what is no row of the store. */
export type JudgeOne = (candidate: OfferedCandidate) => Verdict | null;

/** The pool is read when the first candidate is judged. */
export function judgeOf(
  layer: OfferedLayer,
  searched: SearchedLayers,
  query: SpokenQuery,
): JudgeOne {
  const { plan } = searched;
  const settings = layer.settings.scoring;
  const { lambda } = plan.intentUsed;
  const floor = plan.intentUsed.floor ?? settings.floor;
  const readsClasses = needsClasses(settings.formula.names);
  const readsConversation = needsConversation(settings.formula.names);
  const readsLatest = needsLatest(settings.formula.names);
  const { needsSubject } = layerKind(layer.settings.kind);
  const leastSim = needsSubject && isCourtesy(plan.query) ? settings.courtesyFloor : 0;
  let known: Pool | null | undefined;
  return (candidate) => {
    const { source } = candidate;
    if (!source) return null;
    if (known === undefined) known = poolOf(layer, plan);
    const pool = known;
    const { uuid } = source.row;
    const signals = signalsOf({
      source,
      legs: candidate.hit,
      ran: {
        dense: searched.hasDenseLeg,
        lexical: searched.hasLexicalLeg,
        words: pool?.hasWords === true,
      },
      usage: candidate.usage,
      now: plan.validAt,
      query,
      depth: candidate.depth,
      standing: readsClasses ? (candidate.standing ?? UNLINKED) : null,
      lambda,
      settings,
      maxsim: pool?.maxsimOf(uuid) ?? null,
      latest: (readsLatest && pool?.latestOf(uuid)) || null,
      conversation: (readsConversation && pool?.conversationOf(uuid)) || null,
    });
    const { score: value, isFinite: isNumber } = scoreOf(settings.formula, signals);
    const verdict = { row: source.row, signals };
    if (!isNumber) return { ...verdict, score: 0, reason: 'non_finite_score', isRelevant: false };
    if (value <= 0 || value < floor || (signals.sim ?? 0) < leastSim)
      return { ...verdict, score: value, reason: 'floor', isRelevant: false };
    const isRelevant = relevanceOf(settings.formula, signals, value) >= settings.floorOfBest;
    return { ...verdict, score: value, reason: null, isRelevant };
  };
}

const UNLINKED = { isAbsorbed: false, isReplaced: false };

/** Only where the formula asks for it: reading a pool of 200 turns costs a few milliseconds. */
function poolOf(layer: OfferedLayer, plan: EnrichedPlan): Pool | null {
  const { scoring } = layer.settings;
  const { names } = scoring.formula;
  if (!layer.found || !(needsConversation(names) || needsLatest(names) || needsWords(scoring)))
    return null;
  const { similarity } = plan;
  const hits = new Map(layer.found.hits.map((hit) => [hit.row.uuid, hit]));
  const rows = [...hits.values()].flatMap((hit) =>
    'content' in hit.row
      ? [
          {
            uuid: hit.row.uuid,
            text: searchText(hit.row),
            at: hit.table === 'blocks' ? hit.row.occurred_at : hit.row.valid_from,
            block: hit.table === 'blocks' ? hit.row : null,
            beside: hit.beside ?? null,
          },
        ]
      : [],
  );
  const lexicon = layer.found.lexicon ?? null;
  const read = (query: string): ReadPool =>
    readPool({ rows, query, lexicon, similarity, latest: scoring.latest });
  if (!layerKind(layer.settings.kind).splitsQuery) return read(plan.query);
  return bestOf(plan.subQueries.map(({ text }) => read(text)));
}

type Pool = Pick<ReadPool, 'hasWords' | 'maxsimOf' | 'latestOf' | 'conversationOf'>;

/** Of each item what the sentence gave that it answers best. */
const bestOf = (pools: readonly ReadPool[]): Pool => ({
  hasWords: pools.some(({ hasWords }) => hasWords),
  maxsimOf: (uuid) => Math.max(0, ...pools.map((pool) => pool.maxsimOf(uuid))),
  latestOf: (uuid) => Math.max(0, ...pools.map((pool) => pool.latestOf(uuid))),
  conversationOf: (uuid) => pools[0]?.conversationOf(uuid) ?? null,
});
