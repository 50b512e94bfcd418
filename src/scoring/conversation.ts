/**
 * Signals of a turn within its conversation: what it says together with the turns around it, who wrote it, when. Measured on LoCoMo, the
 * neighbour window is the largest single gain of the ranking (+9 points of recall@10 over BM25 of the turn alone).
 */
import type { BlockRow } from '../model/block.ts';
import type { SignalName } from '../model/signal.ts';
import { termsOf } from '../model/terms.ts';
import { askedTime, asksForTime, nearness, tellsTime } from './asked-time.ts';
import { bm25Share, type Corpus, joined, type WeighedQuery, weigh } from './bm25.ts';
import type { LegWeights } from './fusion.ts';
import { type ReadText, readText } from './read-text.ts';
import { closeness, type WordSimilarity } from './word-closeness.ts';

export const CONVERSATION_SIGNALS = ['window', 'previous', 'session', 'maxsim', 'author', 'date', 'when', 'question', 'length'] as const;
export type ConversationSignals = Readonly<Record<(typeof CONVERSATION_SIGNALS)[number], number>>;
const NONE: ConversationSignals = { window: 0, previous: 0, session: 0, maxsim: 0, author: 0, date: 0, when: 0, question: 0, length: 0 };

export const needsConversation = (names: readonly string[]): boolean =>
  CONVERSATION_SIGNALS.some((name: SignalName) => names.includes(name));

/** Whether an item's own words are to be compared with the query's. */
export const needsWords = ({
  formula,
  fusion,
}: {
  readonly formula: { readonly names: readonly string[] };
  readonly fusion: LegWeights;
}): boolean => formula.names.includes('maxsim') || (fusion.words > 0 && formula.names.includes('sim'));

/** Turns on either side that count for the window. */
const REACH = 2;
/** What a word of a turn so many places away counts, after the measured coverage ranking. */
const DISTANCE_WEIGHTS = [1, 0.7, 0.4] as const;
/** A turn is read this far for sentences and times. */
const READ_UNITS = 32_768;
const SENTENCE = /[^.!?\n]+[.!?]*/g;
const HAS_WORD = /[\p{L}\p{N}]/u;
/** Only what people say to each other has an author to ask for, and questions that are not answers. */
const TURN = 'turn';

export interface PooledRow {
  readonly uuid: string;
  readonly content: string;
  /** null = no block: a text that stands by itself. */
  readonly block: BlockRow | null;
  readonly beside: { readonly previous: string | null; readonly next: string | null } | null;
}
export interface ConversationInput {
  /** All rows that the search answered with: hits and what stands around them. */
  readonly rows: readonly PooledRow[];
  readonly query: string;
  /** null = not known: the pool speaks for the store. */
  readonly corpus: Corpus | null;
  /** null = `maxsim` counts equal stems only. */
  readonly similarity: WordSimilarity | null;
}

interface Turn extends PooledRow, ReadText {
  /** Share of the query that the turn reaches by itself. */
  share: number;
  /** By query word: how close the closest word of the turn is. */
  closest: readonly number[];
}

interface Asked {
  readonly words: WeighedQuery;
  readonly named: string | null;
  readonly time: ReturnType<typeof askedTime>;
  readonly asksTime: boolean;
}

export interface ReadPool {
  /** Whether the query has words to compare at all. */
  readonly hasWords: boolean;
  /** Of a row that was not in the pool: zeros. */
  of(uuid: string): ConversationSignals;
}

/** Reads the pool once; `of` is called per candidate. */
export function conversationSignals(input: ConversationInput): ReadPool {
  const turns = new Map(
    input.rows.map((pooled) => [pooled.uuid, { ...pooled, ...readText(pooled.content), share: 0, closest: [] as readonly number[] }]),
  );
  const corpus = input.corpus ?? corpusOf([...turns.values()]);
  const asked = read(input.query, [...turns.values()], corpus);
  const closest = closeness(input.query, namesIn([...turns.values()]), { corpus, similarity: input.similarity });
  for (const turn of turns.values()) {
    turn.share = bm25Share(turn, asked.words, corpus.mean_length);
    turn.closest = closest.of(turn.words);
  }
  const sessions = sessionShares([...turns.values()], asked.words);
  const of = (uuid: string): ConversationSignals => {
    const turn = turns.get(uuid);
    if (!turn) return NONE;
    const around = neighboursOf(turn, turns);
    const parts = around.map(({ turn: other }) => other);
    return {
      window: bm25Share(joined(parts, asked.words.weights.keys()), asked.words, corpus.mean_length * (2 * REACH + 1)),
      previous: (turn.beside?.previous && turns.get(turn.beside.previous)?.share) || 0,
      session: sessions.get(sessionOf(turn)) ?? 0,
      maxsim: closest.sum((word) =>
        around.reduce(
          (best, { turn: other, distance }) => Math.max(best, (DISTANCE_WEIGHTS[distance] ?? 0) * (other.closest[word] ?? 0)),
          0,
        ),
      ),
      ...ofTurn(turn, asked),
    };
  };
  return { hasWords: closest.hasWords, of };
}

/** What needs no neighbour. */
function ofTurn({ block, length }: Turn, asked: Asked): Pick<ConversationSignals, 'author' | 'date' | 'when' | 'question' | 'length'> {
  const words = Math.min(1, Math.log(1 + length) / 4);
  if (block?.block_type !== TURN) return { author: 0, date: 0, when: 0, question: 0, length: words };
  return {
    author: asked.named !== null && block.author === asked.named ? 1 : 0,
    date: asked.time ? nearness(asked.time, block.occurred_at) : 0,
    when: asked.asksTime && tellsTime(block.content.slice(0, READ_UNITS)) ? 1 : 0,
    question: questionShare(block.content),
    length: words,
  };
}

/** Participants' names say who is meant, not what is asked: they choose the author and do not count as words, unless there are no others. */
function read(query: string, turns: readonly Turn[], corpus: Corpus): Asked {
  const terms = [...new Set(termsOf(query))];
  const names = namesIn(turns);
  const named = [...names].filter(([, words]) => words.some((word) => terms.includes(word))).map(([author]) => author);
  const nameTerms = new Set([...names.values()].flat());
  const rest = terms.filter((term) => !nameTerms.has(term));
  return {
    words: weigh(rest.length > 0 ? rest : terms, corpus),
    named: named.length === 1 ? (named[0] ?? null) : null,
    time: askedTime(query),
    asksTime: asksForTime(query),
  };
}

/** Author -> terms of the name. */
function namesIn(turns: readonly Turn[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { block } of turns)
    if (block?.block_type === TURN && block.author !== null && !names.has(block.author)) names.set(block.author, termsOf(block.author));
  return names;
}

function neighboursOf(turn: Turn, turns: ReadonlyMap<string, Turn>): readonly { readonly turn: Turn; readonly distance: number }[] {
  const found = [{ turn, distance: 0 }];
  for (const side of ['previous', 'next'] as const) {
    let at: Turn | undefined = turn;
    for (let distance = 1; distance <= REACH; distance += 1) {
      const uuid: string | null | undefined = at?.beside?.[side];
      at = uuid ? turns.get(uuid) : undefined;
      if (!at) break;
      found.push({ turn: at, distance });
    }
  }
  return found;
}

const sessionOf = ({ uuid, block }: Turn): string =>
  block ? `${block.scope_uuid}/${block.parent_uuid ?? ''}/${block.occurred_at.slice(0, 10)}` : uuid;

/** Of what the search brought of each session, read as one text. */
function sessionShares(turns: readonly Turn[], words: WeighedQuery): ReadonlyMap<string, number> {
  const groups = new Map<string, Turn[]>();
  for (const turn of turns) {
    const group = groups.get(sessionOf(turn));
    if (group) group.push(turn);
    else groups.set(sessionOf(turn), [turn]);
  }
  const texts = [...groups].map(([session, members]) => [session, joined(members, words.weights.keys())] as const);
  const mean = texts.reduce((sum, [, text]) => sum + text.length, 0) / Math.max(1, texts.length);
  return new Map(texts.map(([session, text]) => [session, bm25Share(text, words, mean)]));
}

function corpusOf(turns: readonly Turn[]): Corpus {
  const frequencies: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const { counts } of turns) for (const term of counts.keys()) frequencies[term] = (frequencies[term] ?? 0) + 1;
  const total = turns.reduce((sum, { length }) => sum + length, 0);
  return { documents: turns.length, mean_length: turns.length > 0 ? total / turns.length : 0, frequencies };
}

/** One pass: what could be matched twice takes minutes on a megabyte without a letter. */
function questionShare(text: string): number {
  const sentences = (text.slice(0, READ_UNITS).match(SENTENCE) ?? []).filter((sentence) => HAS_WORD.test(sentence));
  return sentences.length === 0 ? 0 : sentences.filter((sentence) => sentence.endsWith('?')).length / sentences.length;
}
