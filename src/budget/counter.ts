/** Token counts: exact for the encodings that run offline, conservative for the rest. */
import type { Encoding } from '../model/manifest.ts';
import { estimatePieces, estimateSmallPieces } from './conservative.ts';
import { cachedCount } from './count-cache.ts';
import { isSmall, vocabularyOf } from './encodings.ts';
import type { Pieces } from './piece.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface TokenCounter {
  /** What counts: `conservative` where the package of the encoding is not installed. */
  readonly encoding: Encoding;
  /**
   * Tokens of a text as plain text: `<|endoftext|>` is punctuation and letters, never a control
   * token. `conservative` estimates from above, and does not bound text made to defeat it; any
   * other encoding is never below the true count.
   */
  readonly count: (text: string) => number;
  /**
   * The count if it is at most `limit`, else some number above `limit`, found without reading on.
   */
  readonly countUpTo: (text: string, limit: number) => number;
  /**
   * UTF-16 units of a prefix that costs about `limit`: where it ends can add a token, and be inside
   * a grapheme, so cut it back and count.
   */
  readonly unitsWithin: (text: string, limit: number) => number;
  /** Whether `count` of this text is the tokenizer's own number. */
  readonly exact: (text: string) => boolean;
}

/** A piece longer than this is counted in slices. */
const MAX_PIECE_UNITS = 16_384;
/**
 * The splitting expression overflows its stack on some 14 million blanks; a longer text is counted
 * in windows.
 */
const MAX_WINDOW_UNITS = 1_048_576;
/** A shorter piece is taken whole or not at all. */
const MIN_DIVIDED_UNITS = 32;
/**
 * What a cut inside a piece may hide: at most 1 token in 20,000 random cuts (measured), so 16 is
 * beyond doubt.
 */
const CUT_MARGIN_TOKENS = 16;

/**
 * Where a text can be counted in parts: no piece of these encodings goes on past a line break into
 * one of these signs (past one into `/`, it can). A rendered context is such lines, and each was
 * counted when it was offered: the whole costs a look-up each (11 KB: 1.4 -> 0.3 ms).
 */
const BEFORE_PART = /(?<=\n)(?=[<[#@])/;
/**
 * A context has a few hundred items; what has more such lines is a text, and would displace all
 * that is remembered.
 */
const MOST_PARTS = 512;

const counters = new Map<Encoding, Promise<TokenCounter>>();

/**
 * One counter per encoding and process, so that its counts stay warm between calls. The first call
 * loads what the encoding needs: 0.1 s and 30 MB, for `gemma3` 0.5 s and 130 MB.
 */
export function createCounter(encoding: Encoding): Promise<TokenCounter> {
  const known = counters.get(encoding);
  if (known) return known;
  const fresh =
    encoding === 'conservative'
      ? Promise.resolve(counterOf(encoding, null))
      : vocabularyOf(encoding).then((vocabulary) => counterOf(encoding, vocabulary));
  counters.set(encoding, fresh);
  return fresh;
}

/** Without a vocabulary it counts conservatively. */
export function counterOf(encoding: Encoding, vocabulary: Vocabulary | null): TokenCounter {
  if (vocabulary === null)
    return toCounter(
      'conservative',
      isSmall(encoding) ? estimateSmallPieces : estimatePieces,
      () => false,
    );
  const exact = (text: string): boolean => {
    if (text.length <= MAX_PIECE_UNITS) return true;
    if (text.length > MAX_WINDOW_UNITS) return false;
    for (const [piece] of vocabulary.read(text).matchAll(vocabulary.pieces))
      if (piece.length > MAX_PIECE_UNITS) return false;
    return true;
  };
  const counter = toCounter(encoding, exactPieces(vocabulary, vocabulary.prefix), exact);
  // What the encoding writes before a text stands before its first part alone.
  const inside =
    vocabulary.prefix === '' ? counter : toCounter(encoding, exactPieces(vocabulary, ''), exact);
  const count = (text: string): number => {
    const [first = '', ...parts] = text.split(BEFORE_PART, MOST_PARTS + 1);
    return parts.length >= MOST_PARTS
      ? counter.count(text)
      : parts.reduce((sum, part) => sum + inside.count(part), counter.count(first));
  };
  return { ...counter, count };
}

function toCounter(
  encoding: Encoding,
  pieces: Pieces,
  exact: (text: string) => boolean,
): TokenCounter {
  const countUpTo = (text: string, limit: number): number => {
    let tokens = 0;
    for (const piece of pieces(text)) {
      tokens += piece.tokens;
      if (tokens > limit) break;
    }
    return Math.ceil(tokens);
  };
  const unitsWithin = (text: string, limit: number): number => {
    let tokens = 0;
    let units = 0;
    for (const piece of pieces(text)) {
      if (tokens + piece.tokens > limit)
        return (
          units +
          unitsWithinPiece(text.slice(units, units + piece.units), {
            limit: limit - tokens,
            tokens: piece.tokens,
            countUpTo,
          })
        );
      tokens += piece.tokens;
      units += piece.units;
    }
    return units;
  };
  return {
    encoding,
    count: cachedCount((text) => countUpTo(text, Number.POSITIVE_INFINITY)),
    countUpTo,
    unitsWithin,
    exact,
  };
}

/** An unbroken piece that is too long gives a part in proportion, less until it fits. */
function unitsWithinPiece(
  piece: string,
  facts: {
    readonly limit: number;
    readonly tokens: number;
    readonly countUpTo: TokenCounter['countUpTo'];
  },
): number {
  if (piece.length < MIN_DIVIDED_UNITS) return 0;
  let units = Math.floor((piece.length * facts.limit) / facts.tokens);
  while (units > 0 && facts.countUpTo(piece.slice(0, units), facts.limit) > facts.limit)
    units = Math.floor(units * 0.9);
  return units;
}

function exactPieces({ pieces, read, countPiece }: Vocabulary, prefix: string): Pieces {
  return function* (text) {
    if (text === '') return;
    let added = prefix.length;
    for (const window of slices(prefix + read(text), MAX_WINDOW_UNITS)) {
      for (const [piece] of window.matchAll(pieces)) {
        if (piece.length <= MAX_PIECE_UNITS)
          yield { units: piece.length - added, tokens: countPiece(piece) };
        else
          for (const slice of slices(piece, MAX_PIECE_UNITS)) {
            const tokens = countPiece(slice) + CUT_MARGIN_TOKENS;
            yield { units: slice.length - added, tokens };
            added = 0;
          }
        added = 0;
      }
      if (window.length < text.length) yield { units: 0, tokens: CUT_MARGIN_TOKENS };
    }
  };
}

/** Slices of at most `maxUnits`, never inside a surrogate pair. */
function* slices(text: string, maxUnits: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + maxUnits);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    yield text.slice(start, end);
    start = end;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
