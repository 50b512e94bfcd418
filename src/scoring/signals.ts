/** The numbers about an item that a formula can use. */
import type { AnyRow } from '../model/block.ts';
import { type Instant, toEpochMs } from '../model/ids.ts';
import type { ScoringSettings } from '../model/manifest.ts';
import type { ConversationNumbers, ItemFacts, Standing } from '../model/signals/definition.ts';
import { SIGNAL_LIST, type SignalName, type Signals } from '../model/signals/index.ts';
import { isDocument } from '../text/search-text.ts';
import type { FoldedUsage } from './fold-outcomes.ts';
import { denseSignal, fuse, type LegSignals, lexicalSignal, type RanLegs } from './fusion.ts';
import { retrievability } from './retrievability.ts';
import { spaced } from './words.ts';

const HOUR_MS = 3_600_000;

/** The query as tags are looked up in it: prepare it once per composition. */
export type SpokenQuery = string & { readonly __spoken: true };
export const spokenQuery = (query: string): SpokenQuery => spaced(query) as SpokenQuery;

export interface SignalInput {
  readonly source: AnyRow;
  readonly legs: LegSignals;
  /** Absent = all ran. */
  readonly ran?: RanLegs;
  readonly usage: FoldedUsage | null;
  /** The clock of the composition. */
  readonly now: Instant;
  readonly query: SpokenQuery;
  /** Distance of the row's scope in the closure. */
  readonly depth: number;
  readonly lambda: number;
  /** Absent = it was not. */
  readonly isServedElsewhere?: boolean;
  readonly settings: Pick<
    ScoringSettings,
    | 'beta'
    | 'fusion'
    | 'documentFusion'
    | 'recencyHalfLifeHours'
    | 'importanceHalfLifeDays'
    | 'importanceHalfLives'
    | 'importanceFloor'
    | 'frequencyCap'
    | 'classBoosts'
    | 'stalePenalty'
    | 'trust'
  >;
  /** null or absent = the formula reads no classes. */
  readonly standing?: Standing | null;
  /** null or absent = neither the formula nor `sim` compares words. */
  readonly maxsim?: number | null;
  /** null or absent = the formula does not read it, or now is not asked for. */
  readonly latest?: number | null;
  /** null or absent = the formula does not read them. */
  readonly conversation?: ConversationNumbers | null;
}

/**
 * Every signal that the row has, each within its range, to nine decimals so that receipts stay
 * short. Those of words and of the conversation only where they are given.
 */
export function signalsOf(input: SignalInput): Signals {
  const facts = factsOf(input);
  const signals: Partial<Record<SignalName, number>> = {};
  for (const { name, isParameter, of } of SIGNAL_LIST) {
    const value = of(facts);
    if (value !== null) signals[name] = isParameter ? value : tidy(value);
  }
  return signals;
}

function factsOf(input: SignalInput): ItemFacts {
  const { source, legs, usage, now, settings, maxsim = null, conversation = null } = input;
  const bornAt = source.row.valid_from;
  const outcomes = usage?.count ?? 0;
  const ageHours = hoursBetween(bornAt, now);
  const weights =
    source.table === 'blocks' && isDocument(source.row) ? settings.documentFusion : settings.fusion;
  return {
    source,
    similarity: fuse(
      { dense: legs.dense, lexical: legs.lexical, words: maxsim },
      weights,
      input.ran,
    ),
    dense: denseSignal(legs.dense),
    lexical: lexicalSignal(legs.lexical),
    maxsim,
    conversation,
    latest: input.latest ?? null,
    standing: input.standing ?? null,
    retrievability: retrievability(usage, { bornAt, now }),
    utility: outcomes > 0 && usage ? usage.utility : null,
    outcomes,
    ageHours,
    idleHours:
      usage && outcomes > 0 && usage.touched_at > bornAt
        ? hoursBetween(usage.touched_at, now)
        : ageHours,
    tagMatches: tagMatches(source, input.query),
    isServedElsewhere: input.isServedElsewhere ?? false,
    depth: input.depth,
    lambda: input.lambda,
    settings,
  };
}

/** Tags of the row whose words stand in the query next to each other. */
export function tagMatches(source: AnyRow, query: SpokenQuery): number {
  const tags =
    source.table === 'blocks' || source.table === 'memory_open_set' ? source.row.tags : [];
  return tags.filter((tag) => /\S/.test(spaced(tag)) && query.includes(spaced(tag))).length;
}

const hoursBetween = (from: Instant, to: Instant): number =>
  Math.max(0, (toEpochMs(to) - toEpochMs(from)) / HOUR_MS);
const tidy = (value: number): number => Math.round(value * 1e9) / 1e9;
