/** The numbers about an item that a formula can use. */
import type { AnyRow, SourceClass } from '../model/block.ts';
import { type Instant, toEpochMs } from '../model/ids.ts';
import type { ScoringSettings } from '../model/manifest.ts';
import type { SignalName, Signals } from '../model/signal.ts';
import { isDocument } from '../text/search-text.ts';
import { CONVERSATION_SIGNALS, type ConversationSignals } from './conversation.ts';
import type { FoldedUsage } from './fold.ts';
import { frequency } from './frequency.ts';
import { denseSignal, fuse, type LegSignals, lexicalSignal, type RanLegs } from './fusion.ts';
import { DEFAULT_IMPORTANCE, importance } from './importance.ts';
import { recency } from './recency.ts';
import { retrievability } from './retrievability.ts';
import { spaced } from './words.ts';

/** Tool and document stand between the four that the notes on MemArchitect state (axiom 1, user 0.8, model 0.6, web 0.4). */
const TRUST: Readonly<Record<SourceClass, number>> = {
  axiom: 1,
  user: 0.8,
  document: 0.7,
  model: 0.6,
  tool: 0.5,
  web: 0.4,
};
/** Of a row that says nothing of its source: as little as the least trusted class. */
const UNKNOWN_TRUST = 0.4;
const CLASS_OF_ROLE: Readonly<Record<string, SourceClass>> = {
  user: 'user',
  assistant: 'model',
  tool: 'tool',
};
const MOST_TAGS = 64;
const MOST_AGE_DAYS = 36_500;
const MOST_DEPTH = 8;
const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

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
  readonly settings: Pick<
    ScoringSettings,
    | 'beta'
    | 'fusion'
    | 'documentFusion'
    | 'recencyHalfLifeHours'
    | 'importanceHalfLifeDays'
    | 'frequencyCap'
  >;
  /** null or absent = neither the formula nor `sim` compares words. */
  readonly maxsim?: number | null;
  /** null or absent = the formula does not read them. */
  readonly conversation?: ConversationSignals | null;
}

/** Every signal of the row itself, and those of its conversation where given, each within its range, to nine decimals so that receipts stay short. */
export function signalsOf(input: SignalInput): Signals {
  const { source, legs, usage, now, settings, maxsim = null, conversation = null } = input;
  const bornAt = source.row.valid_from;
  const outcomes = usage?.count ?? 0;
  const ageHours = hoursBetween(bornAt, now);
  const idleHours =
    usage && outcomes > 0 && usage.touched_at > bornAt
      ? hoursBetween(usage.touched_at, now)
      : ageHours;
  const weights =
    source.table === 'blocks' && isDocument(source.row) ? settings.documentFusion : settings.fusion;
  const signals: Partial<Record<SignalName, number>> = {
    sim: tidy(
      fuse({ dense: legs.dense, lexical: legs.lexical, words: maxsim }, weights, input.ran),
    ),
    dense: tidy(denseSignal(legs.dense)),
    lexical: tidy(lexicalSignal(legs.lexical)),
    R: tidy(retrievability(usage, { bornAt, now })),
    U: outcomes > 0 && usage ? tidy(usage.utility) : 0,
    recency: tidy(recency(idleHours, settings.recencyHalfLifeHours)),
    importance: tidy(
      importance(statedImportance(source), idleHours / DAY_HOURS, settings.importanceHalfLifeDays),
    ),
    frequency: tidy(frequency(outcomes, settings.frequencyCap)),
    stale: 1,
    confidence: tidy(confidenceOf(source)),
    trust: trustOf(source),
    age_days: tidy(Math.min(MOST_AGE_DAYS, ageHours / DAY_HOURS)),
    depth: Math.min(MOST_DEPTH, Math.max(0, input.depth)),
    tag_matches: tagMatches(source, input.query),
    lambda: input.lambda,
    beta: settings.beta,
  };
  if (maxsim !== null) signals.maxsim = tidy(maxsim);
  if (conversation !== null)
    for (const name of CONVERSATION_SIGNALS) signals[name] = tidy(conversation[name]);
  return signals;
}

/** By the stated class of the source, else by the role of the turn. */
export function trustOf({ table, row }: AnyRow): number {
  const stated = table === 'context_links' ? undefined : row.provenance.source_class;
  const known =
    stated ?? (table === 'blocks' && row.role !== null ? CLASS_OF_ROLE[row.role] : undefined);
  return known === undefined ? UNKNOWN_TRUST : TRUST[known];
}

/** Tags of the row whose words stand in the query next to each other. */
export function tagMatches(source: AnyRow, query: SpokenQuery): number {
  const tags =
    source.table === 'blocks' || source.table === 'memory_open_set' ? source.row.tags : [];
  return Math.min(
    MOST_TAGS,
    tags.filter((tag) => /\S/.test(spaced(tag)) && query.includes(spaced(tag))).length,
  );
}

const statedImportance = ({ table, row }: AnyRow): number =>
  table === 'memory_open_set' ? unit(row.importance) : DEFAULT_IMPORTANCE;

function confidenceOf({ table, row }: AnyRow): number {
  if (table === 'context_links') return 1;
  if (table === 'memory_open_set' || table === 'memory_schema_typed') return unit(row.confidence);
  return unit(row.provenance.confidence ?? 1);
}

const hoursBetween = (from: Instant, to: Instant): number =>
  Math.max(0, (toEpochMs(to) - toEpochMs(from)) / HOUR_MS);
const unit = (value: number): number => (value > 0 ? Math.min(1, value) : 0);
const tidy = (value: number): number => Math.round(value * 1e9) / 1e9;
