/**
 * Retrieved text as a reader would see it: nothing invisible, nothing that reorders, one kind of
 * line end.
 */

/**
 * C0 and C1 controls but tab and line feed; what Unicode calls default-ignorable: zero-width and
 * bidirectional controls, tag characters, fillers, variation selectors; interlinear annotations;
 * lone surrogates come out as U+FFFD below. ZWJ and the emoji selectors are judged apart.
 */
const INVISIBLE =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\ufff9-\ufffb]|[\u200d\ufe0e\ufe0f]|\p{Default_Ignorable_Code_Point}|\p{Surrogate}/u;
const EVERY_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Text or emoji presentation, once, right after a character that has both. */
const PRESENTED = /(\p{Emoji})([\ufe0e\ufe0f])/gu;

/**
 * No sequence reaches beyond one: the large pattern need not be tried on what stands between them,
 * which is most of a text.
 */
const EMOJI_RUNS = /[\p{Emoji}\p{Emoji_Component}]+/gu;

/**
 * Set notation matches whole emoji sequences. As a variable, because the compiler's target refuses
 * the flag that Node 20 has.
 */
const SEQUENCE_FLAGS: string = 'gv';
/** Compiled on first use: the pattern is large. */
let joinedEmoji: RegExp | undefined;

/**
 * Strips what cannot be seen. A ZWJ stays only inside a sequence of Unicode's closed list of emoji,
 * so that it cannot carry a message. Idempotent.
 */
export function visibleText(text: string): string {
  const lines = text.replace(LINE_ENDS, '\n');
  if (!INVISIBLE.test(lines)) return lines;
  const kept = keptSequences(lines);
  return lines.replace(EVERY_INVISIBLE, (match, offset: number) => {
    if (kept.has(offset)) return match;
    return match.length === 1 && isSurrogate(match.charCodeAt(0)) ? '\ufffd' : '';
  });
}

/**
 * Text as it is compared with what somebody reads: nothing that cannot be seen, one space for each
 * run of white space, one form of each character (NFKC), lower case. Two texts that look alike on
 * the page are equal. `context_ops.comparable` is its twin in SQL.
 */
export const comparableText = (text: string): string =>
  // The lower case of these two depends on what stands beside them, or has a mark of its own.
  withoutInvisible(text).normalize('NFKC').replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');

/** A name as it is compared with one that somebody reads: capitals count. */
export const comparableName = (name: string): string => withoutInvisible(name).normalize('NFC');

const withoutInvisible = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replace(EVERY_INVISIBLE, '').replaceAll(/\s+/g, ' ');

/** Offsets of joiners and selectors that are part of a visible emoji. */
function keptSequences(text: string): ReadonlySet<number> {
  const kept = new Set<number>();
  for (const match of text.matchAll(PRESENTED)) kept.add(match.index + (match[1]?.length ?? 0));
  if (!text.includes('\u200d')) return kept;
  joinedEmoji ??= new RegExp('\\p{RGI_Emoji}', SEQUENCE_FLAGS);
  for (const { 0: run, index: start } of text.matchAll(EMOJI_RUNS)) {
    if (!run.includes('\u200d')) continue;
    for (const { 0: emoji, index } of run.matchAll(joinedEmoji)) {
      for (let i = emoji.indexOf('\u200d'); i >= 0; i = emoji.indexOf('\u200d', i + 1))
        kept.add(start + index + i);
    }
  }
  return kept;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
