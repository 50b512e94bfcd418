/**
 * Where a text that is too long may end: at a sentence, a word, or at least between two characters
 * as a reader sees them.
 */

/** `sentence` = nothing shorter will do. */
export type CutAt = 'sentence' | 'word';

/** A sentence end is worth giving up this share of the room; further back, a word end is better. */
const MAX_SENTENCE_LOSS = 0.4;
/** A "word" longer than this is unbroken text. */
const MAX_WORD_UNITS = 64;
/**
 * What the segmenter sees beyond the cut: enough to know whether a sentence, a word or a grapheme
 * ends there.
 */
const LOOKAHEAD_UNITS = 64;
/** What it sees before the cut; segments longer than this have no start in sight. */
const LOOKBEHIND_UNITS = 65_536;

const segmenters = new Map<Intl.SegmenterOptions['granularity'], Intl.Segmenter>();

/**
 * UTF-16 units to keep of `text`, at most `units`, without trailing blanks. 0 = no such place.
 * Never inside a grapheme or a surrogate pair, unless a single grapheme is longer than 65,536
 * units.
 */
export function cutUnits(text: string, units: number, at: CutAt): number {
  if (units >= text.length) return text.length;
  const sentence = trimmedEnd(text, boundaryBefore(text, units, 'sentence'));
  if (at === 'sentence') return sentence;
  if (sentence > 0 && sentence >= units * (1 - MAX_SENTENCE_LOSS)) return sentence;
  const word = boundaryBefore(text, units, 'word');
  const isUnbroken = word === 0 || units - word > MAX_WORD_UNITS;
  return trimmedEnd(
    text,
    isUnbroken ? boundaryBefore(text, units, 'grapheme') : boundaryBefore(text, word, 'grapheme'),
  );
}

/** The last boundary at or before `units`; 0 when none is in sight. */
function boundaryBefore(
  text: string,
  units: number,
  granularity: 'sentence' | 'word' | 'grapheme',
): number {
  if (units <= 0) return 0;
  const from = codePointStart(text, Math.max(0, units - LOOKBEHIND_UNITS));
  const window = text.slice(from, units + LOOKAHEAD_UNITS);
  const segment = segmenter(granularity)
    .segment(window)
    .containing(units - from);
  const start = segment === undefined ? units : from + segment.index;
  if (start > from || from === 0) return start;
  return granularity === 'grapheme' ? codePointStart(text, units) : 0;
}

function segmenter(granularity: 'sentence' | 'word' | 'grapheme'): Intl.Segmenter {
  const known = segmenters.get(granularity);
  if (known) return known;
  const fresh = new Intl.Segmenter('en', { granularity });
  segmenters.set(granularity, fresh);
  return fresh;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

function codePointStart(text: string, units: number): number {
  const isInside =
    units > 0 &&
    isLowSurrogate(text.charCodeAt(units)) &&
    isHighSurrogate(text.charCodeAt(units - 1));
  return isInside ? units - 1 : units;
}

/** A blank never ends a grapheme that began before it, so this cannot cut into one. */
function trimmedEnd(text: string, units: number): number {
  return text.slice(0, units).trimEnd().length;
}
