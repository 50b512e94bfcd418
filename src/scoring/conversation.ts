/**
 * Signals of a turn within its conversation: what it says together with the turns around it, who
 * wrote it, when. Measured on LoCoMo, the neighbour window is the largest single gain of the
 * ranking (+9 points of recall@10 over BM25 of the turn alone).
 */
import type { BlockRow } from '../model/block.ts';
import type { LatestSettings } from '../model/manifest.ts';
import type { ConversationNumbers } from '../model/signals/definition.ts';
import { isSignalName, SIGNALS, type SignalName } from '../model/signals/index.ts';
import {
  bm25Share,
  countsIn,
  joinCounts,
  type Lexicon,
  meanLengthOf,
  queryTerms,
  type TermCounts,
  type WeighedTerms,
} from '../text/bm25.ts';
import { isDocument } from '../text/search-text.ts';
import type { WordSimilarity } from '../text/terms.ts';
import { nearness, tellsTime } from './asked-time.ts';
import { askedOfNow, presence } from './asks-now.ts';
import type { LegWeights } from './fusion.ts';
import { lateness } from './latest.ts';
import { type Question, readQuestion } from './read-question.ts';
import { type ReadText, readText } from './read-text.ts';
import { remembered } from './remembered.ts';
import { type Closeness, closeness } from './word-closeness.ts';

/** Whether a formula reads what a turn is among the turns around it. */
export const needsConversation = (names: readonly string[]): boolean =>
  names.some((name) => isSignalName(name) && SIGNALS[name].isOfConversation);

interface WordUse {
  readonly formula: { readonly names: readonly string[] };
  readonly fusion: LegWeights;
  readonly documentFusion: LegWeights;
}
/** Whether a formula reads how late an item stands among those that match alike. */
export const needsLatest = (names: readonly string[]): boolean =>
  names.includes('latest' satisfies SignalName);

/** Whether an item's own words are to be compared with the query's. */
export const needsWords = ({ formula, fusion, documentFusion }: WordUse): boolean =>
  formula.names.includes('maxsim') ||
  (formula.names.includes('sim') && (fusion.words > 0 || documentFusion.words > 0));

/** Turns on either side that count for the window. */
const REACH = 2;
const WINDOW = 2 * REACH + 1;
/** What a word of a turn so many places away counts, after the measured coverage ranking. */
const DISTANCE_WEIGHTS = [1, 0.7, 0.4] as const;
/** A turn is read this far for sentences and times. */
const READ_UNITS = 32_768;
const SENTENCE = /[^.!?\n]+[.!?]*/g;
const HAS_WORD = /[\p{L}\p{N}]/u;
/**
 * Only what people say to each other has an author to ask for, and questions that are not answers.
 */
const TURN = 'turn';

export interface PooledRow {
  readonly uuid: string;
  /** What is searched of it: src/text/search-text.ts. */
  readonly text: string;
  /** ISO 8601: when a block occurred, or since when a fact is valid. */
  readonly at: string;
  /** null = no block: a text that stands by itself. */
  readonly block: BlockRow | null;
  readonly beside: { readonly previous: string | null; readonly next: string | null } | null;
}
export interface ConversationInput {
  /** All rows that the search answered with: hits and what stands around them. */
  readonly rows: readonly PooledRow[];
  readonly query: string;
  /** null = not known: the pool speaks for the store. */
  readonly lexicon: Lexicon | null;
  /** null = `maxsim` counts equal stems only. */
  readonly similarity: WordSimilarity | null;
  readonly latest: LatestSettings;
}

interface Turn {
  readonly row: PooledRow;
  readonly text: ReadText;
  /** Of the terms of the question; counted when first asked for. */
  asked: TermCounts | null;
  /** Itself and the turns on either side that are in the pool; found when first asked for. */
  around: readonly Neighbour[] | null;
}
interface Neighbour {
  readonly turn: Turn;
  readonly distance: number;
}

export interface ReadPool {
  /** Whether the query has words to compare at all. */
  readonly hasWords: boolean;
  /** 0 for a row that was not in the pool. */
  maxsimOf(uuid: string): number;
  /** 0..1: how late it stands among those that match alike; 0 where now is not asked for. */
  latestOf(uuid: string): number;
  /** null for a row that was not in the pool. */
  conversationOf(uuid: string): ConversationNumbers | null;
}

/** Reads the pool once; the functions are called per candidate. */
export function readPool(input: ConversationInput): ReadPool {
  const texts = input.rows.map(readRow);
  const lexicon = input.lexicon ?? lexiconOf(texts);
  const names = participantsIn(input.rows);
  const nameTerms = new Set([...names.values()].flat());
  const comparing = { lexicon, nameTerms, similarity: input.similarity };
  // A text that says `now` itself, of a time long ago, is no better an answer for it.
  const isOfNow = presence(input.query, 0).ofTurns > 0;
  const close = closeness(isOfNow ? askedOfNow(input.query) : input.query, comparing);
  const turns = new Map<string, Turn>();
  for (const [index, row] of input.rows.entries()) {
    const text = texts[index] ?? readRow(row);
    turns.set(row.uuid, { row, text, asked: null, around: null });
  }
  const aroundOf = (turn: Turn): readonly Neighbour[] => {
    turn.around ??= neighboursOf(turn, turns);
    return turn.around;
  };
  const maxsimOf = matchBy(close, { turns, aroundOf });
  let late: ReadonlyMap<string, number> | undefined;
  // Most layers compare words alone: what the question is, is read when a formula asks for it.
  let known: Question | undefined;
  const question = (): Question => {
    known ??= readQuestion(input.query, {
      names,
      nameTerms,
      lexicon,
      texts,
      written: input.rows.map(({ text }) => text),
    });
    return known;
  };
  const askedOf = (turn: Turn): TermCounts => {
    turn.asked ??= countsIn(turn.text, question().words);
    return turn.asked;
  };
  let sessions: ReadonlyMap<string, number> | undefined;
  return {
    hasWords: close.hasWords,
    maxsimOf,
    latestOf(uuid) {
      late ??= latestIn(input, (about) =>
        matchBy(closeness(about, comparing), { turns, aroundOf: alone }),
      );
      return late.get(uuid) ?? 0;
    },
    conversationOf(uuid) {
      const turn = turns.get(uuid);
      if (!turn) return null;
      const { words } = question();
      sessions ??= sessionShares([...turns.values()], { words, askedOf });
      const window = joinCounts(aroundOf(turn).map((neighbour) => askedOf(neighbour.turn)));
      const previous = turns.get(turn.row.beside?.previous ?? '');
      return {
        window: bm25Share(window, words, meanLengthOf(window, lexicon) * WINDOW),
        previous: previous
          ? bm25Share(askedOf(previous), words, meanLengthOf(askedOf(previous), lexicon))
          : 0,
        session: sessions.get(sessionOf(turn.row)) ?? 0,
        ...ofTurn(turn, { question: question(), length: askedOf(turn).length }),
      };
    },
  };
}

interface Reading {
  readonly turns: ReadonlyMap<string, Turn>;
  readonly aroundOf: (turn: Turn) => readonly Neighbour[];
}

/** A turn that stands behind the present state is no later word of it. */
const alone = (turn: Turn): readonly Neighbour[] => [{ turn, distance: 0 }];

/** Of each row how well it and those around it match, 0..1. */
function matchBy(close: Closeness, { turns, aroundOf }: Reading): (uuid: string) => number {
  const closestOf = remembered((uuid) => close.of(turns.get(uuid)?.text.words ?? []));
  return remembered((uuid) => {
    const turn = turns.get(uuid);
    if (!turn) return 0;
    const around = aroundOf(turn).map(({ turn: { row }, distance }) => ({
      closest: closestOf(row.uuid),
      weight: DISTANCE_WEIGHTS[distance] ?? 0,
    }));
    return close.sum((word) =>
      around.reduce(
        (best, { closest, weight }) => Math.max(best, weight * (closest[word] ?? 0)),
        0,
      ),
    );
  });
}

/**
 * Of all rows, by how well they match what the question is about: the tense of a question alone
 * orders facts that say one thing.
 */
function latestIn(
  { rows, query, latest }: Pick<ConversationInput, 'rows' | 'query' | 'latest'>,
  matchesOf: (about: string) => (uuid: string) => number,
): ReadonlyMap<string, number> {
  const { ofTurns, ofFacts } = presence(query, latest.byTense);
  if (ofTurns === 0 && ofFacts === 0) return new Map();
  const matchOf = matchesOf(askedOfNow(query));
  const ofTurn = ofTurns > ofFacts ? latest.turnsByTense : latest.turns;
  const ofFact = ofFacts === 1 ? latest.facts : latest.factsByTense;
  const late = lateness(
    rows.map(({ uuid, at, block }) => ({
      ...{ uuid, at, match: matchOf(uuid) },
      share: block ? ofTurn : ofFact,
    })),
    latest.perPlace,
  );
  return new Map(
    rows.flatMap(({ uuid, block }) => {
      const place = late.get(uuid);
      return place === undefined ? [] : [[uuid, place * (block ? ofTurns : ofFacts)] as const];
    }),
  );
}

const readRow = ({ text, block }: PooledRow): ReadText =>
  readText(text, block !== null && isDocument(block));

/** What needs no neighbour. */
function ofTurn(
  { row: { block } }: Turn,
  { question, length }: { readonly question: Question; readonly length: number },
): Pick<
  ConversationNumbers,
  'author' | 'date' | 'when' | 'question' | 'length' | 'strangers' | 'unseen' | 'unnamed'
> {
  const words = Math.min(1, Math.log(1 + length) / 4);
  // Of facts the names often stand elsewhere (in the subject, or nowhere: "the user"); turns and
  // documents of one layer must not differ by it.
  const { strangers: unknown, unseen, unnamed } = block ? question : NOTHING_MISSING;
  const common = { length: words, strangers: unknown, unseen, unnamed };
  if (block?.block_type !== TURN) return { author: 0, date: 0, when: 0, question: 0, ...common };
  return {
    author: block.author !== null && question.named.includes(block.author) ? 1 : 0,
    date: question.time ? nearness(question.time, block.occurred_at) : 0,
    when: question.asksTime && tellsTime(block.content.slice(0, READ_UNITS)) ? 1 : 0,
    question: questionShare(block.content),
    ...common,
  };
}

const NOTHING_MISSING = { strangers: 0, unseen: 0, unnamed: 0 };

function participantsIn(rows: readonly PooledRow[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { block } of rows)
    if (block?.block_type === TURN && block.author !== null && !names.has(block.author))
      names.set(block.author, queryTerms(block.author));
  return names;
}

function neighboursOf(turn: Turn, turns: ReadonlyMap<string, Turn>): readonly Neighbour[] {
  const found = [{ turn, distance: 0 }];
  for (const side of ['previous', 'next'] as const) {
    let at: Turn | undefined = turn;
    for (let distance = 1; distance <= REACH; distance += 1) {
      const uuid: string | null | undefined = at?.row.beside?.[side];
      at = uuid ? turns.get(uuid) : undefined;
      if (!at) break;
      found.push({ turn: at, distance });
    }
  }
  return found;
}

const sessionOf = ({ uuid, block }: PooledRow): string =>
  block ? `${block.scope_uuid}/${block.parent_uuid ?? ''}/${block.occurred_at.slice(0, 10)}` : uuid;

/** Of what the search brought of each session, read as one text. */
function sessionShares(
  turns: readonly Turn[],
  {
    words,
    askedOf,
  }: { readonly words: WeighedTerms; readonly askedOf: (turn: Turn) => TermCounts },
): ReadonlyMap<string, number> {
  const groups = new Map<string, TermCounts[]>();
  for (const turn of turns) {
    const session = sessionOf(turn.row);
    const group = groups.get(session);
    if (group) group.push(askedOf(turn));
    else groups.set(session, [askedOf(turn)]);
  }
  const texts = [...groups].map(([session, members]) => [session, joinCounts(members)] as const);
  const mean = texts.reduce((sum, [, text]) => sum + text.length, 0) / Math.max(1, texts.length);
  return new Map(texts.map(([session, text]) => [session, bm25Share(text, words, mean)]));
}

function lexiconOf(turns: readonly ReadText[]): Lexicon {
  const frequencies: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const { counts } of turns)
    for (const term of counts.keys()) frequencies[term] = (frequencies[term] ?? 0) + 1;
  return {
    documents: turns.length,
    mean_length: meanLength(turns.filter((text) => !text.isDocument)),
    mean_document_length: meanLength(turns.filter((text) => text.isDocument)),
    frequencies,
  };
}

const meanLength = (texts: readonly ReadText[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);

/** One pass: what could be matched twice takes minutes on a megabyte without a letter. */
function questionShare(text: string): number {
  const sentences = (text.slice(0, READ_UNITS).match(SENTENCE) ?? []).filter((sentence) =>
    HAS_WORD.test(sentence),
  );
  return sentences.length === 0
    ? 0
    : sentences.filter((sentence) => sentence.endsWith('?')).length / sentences.length;
}
