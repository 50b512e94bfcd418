/**
 * A correction in few words, which names no more than the value: `Basel, not Bern`, `not Bern but
 * Basel`, `nah, green actually`, `green, sorry`. What it speaks of was said before. English.
 */
import { MONTH_NAMES } from '../../text/calendar.ts';
import { wordsOf } from './sentence.ts';

export interface FewWords {
  /** As `correctedValue` reads it: the new value, and the old one where it is named. */
  readonly text: string;
  /** Names no old value and has no word for meaning one: it speaks of the last statement alone. */
  readonly isWeak: boolean;
}

const VALUE = '[\\p{L}\\p{N}@+][^ ,;:!?–—]*(?: [^ ,;:!?–—]+){0,3}?';
const LEAD =
  '(?:(?:sorry|no|nah|nope|oops|wait|hm+|uh|um|oh|ah|ugh|well|so|actually|correction|my bad|i mean|i meant|' +
  "it['’]?s|it is|that['’]?s|make that|should be|it should be)[,.:]? (?:[-–—] )?)*";
const END = '(?:,? (?:sorry|actually|my bad|of course|please))*[.!]*$';
const NOT_OLD = new RegExp(
  `^${LEAD}(${VALUE})(?:, | [-–—] | \\(| )(?:and )?(?:not|instead of|rather than) (${VALUE})\\)?${END}`,
  'iu',
);
const OLD_BUT = new RegExp(`^${LEAD}not (${VALUE})(?:,? but(?: rather)?|,) (${VALUE})${END}`, 'iu');
/** One mark at least says that it is a correction. */
const MARKED: readonly RegExp[] = [
  new RegExp(`^(?:correction|i misspoke|scratch that)(?:[:,.]| [-–—]) (${VALUE})[.!]*$`, 'iu'),
  new RegExp(`^(${VALUE}),? (?:actually|i mean|i meant)[.!]*$`, 'iu'),
  new RegExp(`^(${VALUE}), (?:sorry|my bad|my mistake|typo|oops|i misspoke)[.!]*$`, 'iu'),
  new RegExp(
    `^(?:(?:no|nah|nope|oops|wait|sorry|hm+|ah|ugh|well),? )+(${VALUE}),? (?:actually|sorry|i mean|i meant)[.!]*$`,
    'iu',
  ),
  new RegExp(
    `^(?:(?:no|nah|nope|oops|wait|sorry|hm+|ah|ugh|well),? )*actually,? (${VALUE})[.!]*$`,
    'iu',
  ),
];
/** Of a name alone no word says that it was meant: `no, Basel`. */
const BARE =
  /^(?:(?:no|nope|nah|sorry|oops|wait)(?: (?:no|wait|sorry))?,) (?:(?:no|sorry|wait), )?(\p{L}[\p{L}\p{N}'’-]{0,30}(?: \p{L}[\p{L}\p{N}'’-]{0,30})?)[.!]{0,5}$/iu;
/** A number or a day alone needs no capital: `sorry, 910`, `oops, May 5`. */
const BARE_NUMBER = new RegExp(
  `^(?:no|nope|nah|sorry|oops|wait)(?: (?:no|wait|sorry))?, ((?:(?:${MONTH_NAMES.join('|')}) )?[$€£]?\\d[\\d.,:]{0,9}%?(?: (?:${MONTH_NAMES.join('|')}))?)$`,
  'iu',
);
const MOST_READ = 80;
/** What these stand in is no value, but a clause or a word of the talk. */
const NO_VALUE: ReadonlySet<string> = new Set(
  (
    "i i'm i've i'd i'll we we're you you're he she they it its it's that that's this these those " +
    'them him her me us my your our their his is are was were be been am do does did done have has ' +
    'had can could will would should may might must not no yes yeah yep nope ok okay sure fine good ' +
    'great nice cool thanks thank thx cheers right wrong true false never always maybe later soon ' +
    'now today tomorrow yesterday nothing something anything everything what who why how when ' +
    'where which and or if because so to all same other others both neither only just even really ' +
    'use run install import very too quite rather bad sorry please hello hi hey bye well stop wait go think know want need typo'
  ).split(' '),
);
const isValue = (text: string): boolean => {
  const words = wordsOf(text);
  return words.length > 0 && words.length <= MOST_VALUE && !words.some((w) => NO_VALUE.has(w));
};
const MOST_VALUE = 4;

/** null = it says more, or corrects nothing. */
export function fewWordsIn(text: string): FewWords | null {
  if (text.length > MOST_READ || text.includes('?')) return null;
  const said = text.replace(/[.!\s]{1,10}$/u, '');
  const [, fresh = '', was = ''] = NOT_OLD.exec(said) ?? [];
  if (isValue(fresh) && isValue(was)) return { text: `${fresh}, not ${was}`, isWeak: false };
  const [, old = '', instead = ''] = OLD_BUT.exec(said) ?? [];
  if (isValue(old) && isValue(instead)) return { text: `${instead}, not ${old}`, isWeak: false };
  for (const form of MARKED) {
    const [, value = ''] = form.exec(said) ?? [];
    if (isValue(value)) return { text: value, isWeak: true };
  }
  const bare = bareIn(said);
  const told = bare ?? BARE_NUMBER.exec(said)?.[1];
  return told === undefined ? null : { text: told, isWeak: true };
}

/** `*Basel`, as one corrects a slip; with a mark on both sides it is loud, and `* Basel` a list. */
const STARRED = /^\*(\p{L}[\p{L}\p{N}'’-]{0,30}(?: \p{L}[\p{L}\p{N}'’-]{0,30})?)[.!]{0,5}$/iu;
export const isStarred = (text: string): boolean => STARRED.test(text.slice(0, MOST_READ));

/** `No, Basel`, `*Basel`: the name alone; null = it says more. */
export function bareIn(text: string): string | null {
  const said = text.slice(0, MOST_READ);
  const [, value = ''] = BARE.exec(said) ?? STARRED.exec(said) ?? [];
  const isNamed = value !== '' && value.split(' ').every((word) => /^\p{Lu}/u.test(word));
  return isNamed && isValue(value) ? value : null;
}
