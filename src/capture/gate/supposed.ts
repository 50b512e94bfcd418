/**
 * `If I were rich. I live in a castle.`: a condition that a full stop breaks off has its
 * consequence in the next sentence, which is as little so. What is offered (`If you need it. My
 * number is …`) and what turns back to what is (`But I live in Rome`) is no consequence. English.
 */

/** Of a sentence. */
interface Said {
  readonly text: string;
  readonly plain: string;
  readonly start: number;
}

const LEAD = '(?:(?:and|so|but|well|ok|okay|like|hm+|oh|even|only|say|you know) )*';
const SELF =
  "(?:i|we|my [\\p{L}'-]+|our [\\p{L}'-]+|money|life|the world|things|it|he|she|they|[\\p{L}'-]+)";
/** Nothing is so: `if I were rich`, `had I a boat`. */
const UNREAL = new RegExp(
  `^ ${LEAD}(?:if (?:only )?${SELF} (?:were|was|had|could|did|won|lived|owned|weren't|wasn't|hadn't|didn't|ever|would)|were (?:i|we)|had (?:i|we)|(?:imagine|suppose|supposing|assume|assuming|pretend|let's say|let us say)(?: that)? (?:i|we|i'm|we're|i've|i'd)) `,
  'u',
);
const ANY = new RegExp(
  `^ ${LEAD}(?:if|unless|assuming|provided) (?:that )?(?:i|i'm|i've|we|we're|my|our|it) `,
  'u',
);
const OFFERED =
  /^ (?:[\p{L}']+ ){0,4}?(?:if|unless|assuming) (?:it(?:'s| is)? (?:helps?|matters?|of|relevant|useful|important|counts?|was not|wasn't|needed|necessary|ok|okay)|i may|i might|i can|i remember|i recall|i'm not mistaken|i am not mistaken|i'm honest|i'm right|we're honest|memory|my memory) /u;
/** It has its consequence in itself. */
const WHOLE = /[,;:–—?]|\b(?:then|would|will|I['’]d|I['’]ll|we['’]d|we['’]ll)\b/iu;
const BACK =
  /^ (?:but|however|actually|in reality|in truth|in fact|as it is|really|today|now|luckily|still|yet|instead|sadly|unfortunately|anyway) /;
const MOST_WORDS = 9;
const MOST_UNITS = 120;

/** By its start, each statement that such a condition stands before. */
export function supposedIn(pieces: readonly Said[]): ReadonlySet<number> {
  const supposed = new Set<number>();
  for (const [at, { text, plain }] of pieces.entries()) {
    const next = pieces[at + 1];
    if (!next || text.length > MOST_UNITS || !isBrokenOff({ text, plain }, at === 0)) continue;
    if (!BACK.test(next.plain.slice(0, MOST_UNITS))) supposed.add(next.start);
  }
  return supposed;
}

/** `isFirst`: behind a statement, `if it rains` may be of that. */
function isBrokenOff({ text, plain }: Pick<Said, 'text' | 'plain'>, isFirst: boolean): boolean {
  const isUnreal = UNREAL.test(plain);
  if (!isUnreal && !(isFirst && ANY.test(plain))) return false;
  if (OFFERED.test(plain)) return false;
  const behind = isUnreal ? text.replace(/\bwould\b(?=[^.]*$)/i, '') : text;
  return plain.trim().split(' ').length <= MOST_WORDS && !WHOLE.test(behind);
}
