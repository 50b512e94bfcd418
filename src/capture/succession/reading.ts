/** What two statements are compared by, to tell whether one takes the other's place. */
import { MONTH_NAMES, WEEKDAY_NAMES } from '../../text/calendar.ts';
import { wordRarity } from '../../text/known-words.ts';
import { isStopWord, stemOf } from '../../text/terms.ts';
import { NUMBER_WORDS, type Said } from '../compare/likeness.ts';
import { isPastForm } from '../sentences/past-form.ts';
import { isKin, isPerson } from '../voices/people.ts';

export interface Reading {
  /** Words by stem, with how rare each is, 0..1; not the subject's name, no numbers. */
  readonly stems: ReadonlyMap<string, number>;
  /** By stem. */
  readonly names: ReadonlySet<string>;
  /** Numbers, times of day and days of the week, as they are written. */
  readonly measures: ReadonlySet<string>;
  /** What they measure: `money`, `time`, `day`, or the stem behind a number. */
  readonly units: ReadonlySet<string>;
  /** Other people, by what they are to the speaker. */
  readonly people: string;
  /** Of them those whose states are not the speaker's: `my sister`, not `my dentist`. */
  readonly kin: string;
  /** The verb of the present that it is said by, without its ending; '' = by another. */
  readonly frame: string;
  /** Says that it is so now. */
  readonly isNow: boolean;
  /** Says that something became otherwise. */
  readonly isChange: boolean;
  /** By a word alone that says that one has or does one more: `bought`, `joined`, `started`. */
  readonly isGain: boolean;
  /** Tells what somebody did, once. */
  readonly isDeed: boolean;
  /** Names a day that it is of. */
  readonly isDated: boolean;
  /** Says what somebody likes, feels or thinks. */
  readonly isLiking: boolean;
  /** Says that something is over, or of what was before. */
  readonly isEnd: boolean;
  /** Says that something is over, in words that say nothing else. */
  readonly isOver: boolean;
}

const NOW =
  /\b(?:now|nowadays|these days|from now on|currently|at present|as of|since|starting|from (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|next|\d)|lately|today)\b/i;
const CHANGE =
  /\b(?:moved?|moving|changed?|switch(?:ed)?|swap(?:ped)?|replac(?:ed|es)|became|become|turned|gone|went|going|put|raised?|rose|risen|dropp(?:ed)?|lowered|cut|up|down|new|instead|took over|takes over|taken over|transferred|reassigned|assigned|upgraded|downgraded|traded|bought|sold|left|quit|gave up|given|joined|started|begun|began|bumped|crept|shifted|postponed|pushed|brought|got|extended|renewed|promoted|no longer|anymore|any more|stopped|longer|retired|closed|after|handed|succeeded)\b/i;
const GAINED =
  /\b(?:bought|got|given|joined|started|begun|began|brought|extended|up|down|after)\b/gi;
/** Stems that say no more than that: two things that were bought are two. */
export const GAIN_STEMS: ReadonlySet<string> = new Set(
  'bought got given joined started begun began brought buy get give join start begin bring'
    .split(' ')
    .map(stemOf),
);
const END =
  /\b(?:no longer|anymore|any more|stopped|quit|left|gave up|given up|sold|cancel+ed|closed|retired|over|gone|done|history|dropped|instead|replac\w+|from|after|was|used to)\b/i;

const OVER =
  /\b(?:no longer|anymore|any more|stopped|quit|left|gave up|given up|sold|cancel+ed|retired|dropped|instead|replac\w+)\b/i;
const LIKING =
  /\b(?:loves?|likes?|prefers?|enjoys?|hates?|feels?|felt|passionate|excited|happy|grateful|thankful|proud|fun|amazing|awesome|great|wonderful|motivat\w+|inspir\w+|support\w*|believes?|hopes?|dream\w*|can't wait|always)\b/i;

const WORD = /[$€£]|[\p{L}\p{N}][\p{L}\p{M}\p{N}'’:.,-]*[\p{L}\p{N}%]|[\p{L}\p{N}%]/gu;
/** Days that capture wrote beside relative ones, and the subject before what does not name them. */
export const WRITTEN_DAYS = / \((?:week of |weekend of |before )?\d{4}(?:-\d{2}){0,2}\)/g;
const MONEY = /^(?:[$€£]|dollars?|euros?|pounds?|francs?|bucks|quid|kroner|crowns?)$/;
const TIME = /^\d{1,2}[:.]\d{2}$|^\d{1,2}(?::\d\d)?(?:am|pm)$/;
const DATE_NUMBER = /^\d+(?:st|nd|rd|th)$|^(?:19|20)\d\d$/;
const CLOCK = /^(?:am|pm|o'clock)$/;

const MONTHS: ReadonlySet<string> = new Set([
  ...MONTH_NAMES,
  ...MONTH_NAMES.map((name) => name.slice(0, 3)),
  'sept',
]);
/** By its first letters. */
const DAYS: ReadonlyMap<string, string> = new Map(
  WEEKDAY_NAMES.flatMap((name) => {
    const short = name.slice(0, 3);
    const written = [name, `${name}s`, short, ...(short === 'tue' ? ['tues'] : [])];
    return [...written, ...(short === 'thu' ? ['thurs'] : [])].map((day) => [day, short] as const);
  }),
);

/** `Monday`, `mondays`, `mon`. */
export const isDay = (word: string): boolean => DAYS.has(word);

const read = new WeakMap<Said, Reading>();

/** It is compared with many others of its batch: it is read once. */
export function readingOf(said: Said & { readonly subject: string | null }): Reading {
  const known = read.get(said);
  if (known) return known;
  const reading = readStatement(said.content, said.subject ?? '');
  read.set(said, reading);
  return reading;
}

function readStatement(content: string, subject: string): Reading {
  const text = content.replaceAll(WRITTEN_DAYS, '').replaceAll('’', "'");
  const own = new Set(subject.toLowerCase().split(/[^\p{L}\p{N}]+/u));
  const found = {
    stems: new Map<string, number>(),
    names: new Set<string>(),
    measures: new Set<string>(),
    units: new Set<string>(),
    people: new Set<string>(),
    kin: new Set<string>(),
  };
  const tokens = [...text.matchAll(WORD)];
  const plain = tokens.map(([said]) => said.toLowerCase().replace(/'s?$/, ''));
  for (const [at, { 0: said, index }] of tokens.entries()) {
    const word = plain[at] ?? '';
    if (own.has(word)) continue;
    const beside = [plain[at - 1] ?? '', plain[at + 1] ?? ''] as const;
    if (addMeasure(word, beside, found) || isStopWord(word) || word.length < 2) continue;
    const stem = stemOf(word);
    if (isPerson(word)) found.people.add(stem);
    const one = word.replace(/s$/, '');
    if ((isKin(word) || isKin(one)) && !ROLES.has(one)) found.kin.add(stem);
    const rarity = wordRarity(word);
    const isInside = at > 0 && !/[.!?]\s*$/.test(text.slice(0, index));
    if (/^\p{Lu}/u.test(said) && (isInside || rarity === UNKNOWN || /^\p{Lu}{2}/u.test(said)))
      found.names.add(stem);
    if (!found.stems.has(stem)) found.stems.set(stem, rarity);
  }
  return {
    ...found,
    people: [...found.people].sort().join(' '),
    kin: [...found.kin].sort().join(' '),
    frame: plain.map((word) => word.replace(/s$/, '')).find((word) => FRAMES.has(word)) ?? '',
    isNow: NOW.test(text),
    isChange: CHANGE.test(text),
    isGain: CHANGE.test(text) && !CHANGE.test(text.replace(GAINED, ' ')),
    isDeed: isDeed(plain, own),
    isDated: content !== text,
    isLiking: LIKING.test(text),
    isEnd: END.test(text),
    isOver: OVER.test(text),
  };
}
const FRAMES: ReadonlySet<string> = new Set(
  'i are ha have cost pay take see work live drive use run deploy do speak go own train meet play keep stand start treat cut handle lead get charge'.split(
    ' ',
  ),
);
/** The first verb behind the subject is of the past, and of no state. */
function isDeed(words: readonly string[], own: ReadonlySet<string>): boolean {
  const at = words.findLastIndex((word, index) => own.has(word) && index < 4);
  const verb = words.slice(at + 1).find((word) => !BETWEEN.has(word));
  return verb !== undefined && !SETS.has(verb) && (DID.has(verb) || isPastForm(verb));
}
const BETWEEN: ReadonlySet<string> = new Set(
  'and others also just really finally recently actually even then still all both had has have got never always'.split(
    ' ',
  ),
);
const SETS: ReadonlySet<string> = new Set(
  'moved switched changed swapped replaced became started joined transferred upgraded bought sold rented hired adopted leased enrolled signed registered took raised lowered increased decreased reduced dropped bumped extended assigned reassigned promoted handed renewed postponed pushed shifted stopped quit left retired closed chose picked got doubled halved expanded confused mixed converted'.split(
    ' ',
  ),
);
const DID: ReadonlySet<string> = new Set(
  'went won made met saw did wrote came gave ran said told felt thought knew read spoke taught led drew sang wore ate drank slept spent caught fell lost found built held heard kept left paid sent stood understood'.split(
    ' ',
  ),
);
/** Who they are is a state of the speaker. */
const ROLES: ReadonlySet<string> = new Set(['boss', 'manager', 'landlord', 'colleague']);
/** Of a word that the built-in table does not know. */
const UNKNOWN = 1;

/** Whether the word is one: no part of what is spoken of. */
function addMeasure(
  word: string,
  [before, after]: readonly [string, string],
  { measures, units }: { readonly measures: Set<string>; readonly units: Set<string> },
): boolean {
  const day = DAYS.get(word);
  if (MONEY.test(word)) units.add('money');
  else if (day !== undefined) {
    measures.add(day);
    units.add('day');
  } else if (TIME.test(word)) {
    measures.add(word);
    units.add('time');
  } else if (MONTHS.has(word)) return true;
  else if (/\d/.test(word) || NUMBER_WORDS.has(word)) {
    if (MONTHS.has(before) || MONTHS.has(after) || DATE_NUMBER.test(word)) return true;
    measures.add(word.replaceAll(',', ''));
    units.add(CLOCK.test(after) || before === 'at' ? 'time' : unitOf(after));
  } else return false;
  return true;
}

const unitOf = (word: string): string =>
  word === '' || isStopWord(word) || /\d/.test(word) ? 'number' : `of ${stemOf(word)}`;
