/**
 * A line that is the title of a text, or of a part of one: `Chapter 1`, `The House by the Sea`. A
 * heading of one's own names what one tells of: `My week in Bern`, `About me`, `Day 2`.
 */
import { isOwnLabel } from './labels.ts';

/** Of a book, a play, a film or a song. */
const PARTS =
  'chapter|part|act|scene|book|volume|episode|verse|chorus|bridge|canto|stanza|page|prologue|epilogue|interlude|refrain|hook|outro|kapitel|teil|akt|szene|strophe|refrain|prolog|epilog|chapitre|acte|scène|capítulo|acto|escena|capitolo|atto|scena';
const COUNT =
  '\\d{1,3}|[ivxlc]{1,7}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|the (?:first|last|second|third)|eins|zwei|drei';
const PART = new RegExp(
  `^[\\[(*_#=~\\s-]{0,4}(?:${PARTS})(?: (?:${COUNT}))(?:[\\])*_=~\\s]{0,4}|\\s?[:.,–—-]\\s?\\S[^.!?]{0,60})$`,
  'iu',
);
/** `INT. KITCHEN - DAY` */
const SET = /^(?:INT|EXT|INT\.?\/EXT)[./] \p{Lu}/u;

const SMALL: ReadonlySet<string> = new Set(
  'a an and as at but by for from in into nor of on or over per the to up via with vs und der die das von im am de la le du des et'.split(
    ' ',
  ),
);
const WORD = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]{0,30}[,:]?$/u;
const LEAST_WORDS = 4;
const MOST_WORDS = 10;
const MOST_UNITS = 80;

/** `Scene 2.`, on a line with what follows. */
export const isPartHeading = (text: string): boolean =>
  text.length <= MOST_HEADING && PART.test(text.replace(/[.:]$/, ''));
const MOST_HEADING = 30;

/** `isApart`: an empty line follows. */
export function isTitle(line: string, isApart: boolean): boolean {
  const shown = line.trim();
  if (shown.length > MOST_UNITS) return false;
  return PART.test(shown) || SET.test(shown) || (isApart && isInTitleCase(shown));
}

/** Each word in capitals but the small ones: nobody writes a sentence so. */
function isInTitleCase(shown: string): boolean {
  const words = shown.split(/\s+/u);
  if (words.length < LEAST_WORDS || words.length > MOST_WORDS) return false;
  if (!words.every((word) => WORD.test(word))) return false;
  if (/\b(?:I|me|my|mine|we|our|us)\b/iu.test(shown) || isOwnLabel(shown)) return false;
  const large = words.filter((word) => !SMALL.has(word));
  return large.length >= 2 && large.every((word) => /^\p{Lu}/u.test(word));
}
