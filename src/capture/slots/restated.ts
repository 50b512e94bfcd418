/**
 * Which statements are kept as slot and value: those whose words would mislead a reader, and those
 * that say nothing else. All others are kept as they were said.
 */
import { MONTH_NAMES } from '../../text/calendar.ts';
import { isStopWord, stemOf } from '../../text/terms.ts';
import { isHabit } from './habits.ts';
import { type Token, tokensOf } from './match.ts';
import { kindOf } from './values.ts';

interface Stated {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isEnd: boolean;
  readonly isChange: boolean;
  readonly isRestated?: boolean | 'always';
  readonly instead?: unknown;
}

/** `from Ghent to Rome` names another value beside its own. */
const BESIDE_OLD =
  /\b(?:from|instead of|replaced|no longer|anymore|any more|rather than|in for)\b/i;
const namesOld = ({ start, end }: Stated, text: string): boolean =>
  // `I work from home`: the value itself is behind it.
  BESIDE_OLD.test(text.slice(0, start).replace(/\bfrom $/i, '')) ||
  BESIDE_OLD.test(text.slice(end));

/** `I switched to losartan`, `I'm at Acme now`: who asks for it uses other words. */
const isBare = ({ name }: Stated, text: string): boolean =>
  (name === 'employer' && /^(?:I['’]m|I am) (?:now )?(?:at|with) /i.test(text)) ||
  (name === 'medication' && !/\b(?:medic|take|taking)/i.test(text));

export function isToRestate(slot: Stated, text: string): boolean {
  // An order is kept as one.
  if (slot.name === '' || slot.name.startsWith('answer ') || isMoved(slot, text)) return false;
  if (slot.isRestated === 'always') return true;
  if (slot.isRestated)
    return (
      !isListed(slot, text) &&
      (namesAnother(slot, text) || stoppedTheSame(slot, text) || saysNoMore(slot, text))
    );
  return (
    !slot.isEnd &&
    slot.instead === undefined &&
    (isBare(slot, text) || (slot.isChange && namesOld(slot, text)))
  );
}

/** `I moved my money to Wells Fargo`: what it was moved to is where it is, and not what it is. */
const isMoved = ({ name, start, end }: Stated, text: string): boolean =>
  MOVED.test(text.slice(0, start)) &&
  !/^\d|(?:day|time|number)$/.test(`${text.slice(start, end)} ${name}`) &&
  !isPlace(name);
const MOVED =
  /^(?:I|We)(?:['’]ve| have)? (?:(?:just|also|finally|recently|already|now) )?(?:moved|transferred|shifted|relocated|put|pushed) (?:(?:all|some) )?(?:my|our|the) /i;

/**
 * `Training is Tuesdays and Thursdays`, `my allergies: nuts and shellfish`: the value is one of
 * several, and a part of them is not what was said. What another clause adds is no value.
 */
const isListed = ({ end }: Stated, text: string): boolean => {
  const rest = withoutComment(text.slice(end));
  const behind = rest.slice(UNIT.exec(rest)?.[0].length ?? 0);
  return JOINED.test(behind) && !YEAR.test(behind) && !CLAUSE.test(behind);
};
const JOINT = '(?:[,;]|[,;]? ?(?:and|or|nor|but|plus|as well as|along with|&|\\+|/))';
const JOINED = new RegExp(`^ ?${JOINT} ?[\\p{L}\\p{N}]`, 'iu');
const YEAR = /^, (?:19|20)\d\d/;
const CLAUSE = new RegExp(
  `^ ?${JOINT} ?(?:${[
    "(?:i|we|you|he|she|they|it|that|this|there|who|which|what)(?:['’](?:m|s|re|ve|d|ll))?",
    '(?:not|so|because|since|as|if|when|while|though|where|until|instead|rather|now|then|yet)',
    '(?:from|starting|beginning|effective|thanks|thank|please|sorry|lol|haha|btw|by the way)',
    "(?:(?:the|my|our|his|her|their) (?:[\\p{L}\\p{M}'’-]+ ){1,4}?(?:is|are|was|were|has|have|does|will))",
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);

/** Says that something became otherwise and names another value of the same kind. */
function namesAnother(slot: Stated, text: string): boolean {
  if (!slot.isChange) return false;
  const tokens = tokensOf(text);
  const own = kindAt(
    tokens.findIndex((token) => !isOutside(token, slot)),
    tokens,
    text,
  );
  return tokens.some(
    (token, at) =>
      at > 0 && isOutside(token, slot) && own !== null && own === kindAt(at, tokens, text),
  );
}

/** `I've stopped drinking espresso, I drink matcha now`: of what is done now, the old value. */
const stoppedTheSame = ({ isChange, start }: Stated, text: string): boolean =>
  isChange && STOPPED.test(text.slice(0, start));
const STOPPED =
  /\b(?:stopped|quit|gave up|given up|done|no longer|not) (\p{L}{3,12}?)ing\b.{0,60}\b(?:I|we)(?:['’]m|['’]re| am| are)? (?:now )?\1(?:e|ing)?\b/iu;

/** null = no value. */
function kindAt(
  at: number,
  tokens: readonly Token[],
  text: string,
): 'number' | 'day' | 'name' | null {
  const token = tokens[at];
  if (!token || MONTHS.has(token.word) || token.word === 'i') return null;
  if (/^\d/.test(token.word)) return 'number';
  if (kindOf([token], text) === 'day') return 'day';
  return /^\p{Lu}/u.test(text.slice(token.start)) ? 'name' : null;
}
const MONTHS: ReadonlySet<string> = new Set(MONTH_NAMES);

/** Whether it says little more than the name of the slot, the value and that it is so. */
function saysNoMore(slot: Stated, said: string): boolean {
  const text = said.slice(0, slot.end) + withoutComment(said.slice(slot.end));
  const named = new Set(slot.name.split(/[^\p{L}\p{N}]+/u).map(stemOf));
  const more = tokensOf(text).filter((token) => {
    const { word } = token;
    if (!isOutside(token, slot) || named.has(stemOf(word.replace(/'s$/, '')))) return false;
    return !(isStopWord(word) || SAYS_SO.has(stemOf(word)));
  });
  return (
    more.length <= MOST_MORE && more.every(({ start }) => !/^[\p{Lu}\d]/u.test(text.slice(start)))
  );
}
const MOST_MORE = 1;
const SAYS_SO: ReadonlySet<string> = new Set(
  'new current now currently today yesterday these days week update updated news correction scratch sorry actually finally heads just also oh well so ok okay um uh go goes went gone going move moved moves change changed changes switch switched shift shifted set put raise raised increase increased lower lowered cut bump bumped upped push pushed slip slipped become became turn turned get got back called named run runs take takes place happen happens meet meets held start starts relocate relocated drop dropped rise rose risen fell fall grow grew shrank jump jumped reassigned upgraded lost broke retired left expired told meant mean said'
    .split(' ')
    .map(stemOf),
);

/** `…, ugh`, `…, so that's nice`: how its speaker likes it is no part of the state. */
const withoutComment = (tail: string): string => tail.replace(COMMENT, '');
const COMMENT = new RegExp(
  "(?:[,;]| [-–—]) (?:(?:and|so|but) )?(?:(?:that|this|it|which)(?:['’]s| is| was) )?" +
    '(?:(?:so|really|very|pretty|quite|rather|kinda|a bit|kind of|such|honestly) )*(?:an? )?' +
    '(?:ugh|argh|sigh|yay|yikes|ouch|oof|wow|phew|meh|sadly|luckily|thankfully|finally|haha|lol|' +
    'nice|great|good|fine|ok|okay|bad|annoying|expensive|pricey|cheap|cheaper|steep|crazy|insane|' +
    'mad|wild|brutal|painful|awful|terrible|nuts|sad|fun|cool|awesome|amazing|lovely|fair|unfair|' +
    'better|worse|win|relief|pain|shame|lot|steal|bargain|rip-off|joke|nightmare|bummer)' +
    '(?: (?:I know|though|tho|really|to be honest|tbh|lol|haha))?[.!?…)]*$',
  'iu',
);

const isOutside = ({ start, end }: Token, slot: Stated): boolean =>
  end <= slot.start || start >= slot.end;

interface Said extends Pick<Stated, 'name' | 'end'> {
  /** The value as it was written. */
  readonly said: string;
}
/** `My rent is 820 euros a month`, for `The rent went up from 780 to 820 euros a month`. */
export function restated({ name, said, end }: Said, text: string): string {
  if (isHabit(name)) return `I ${name.slice(2)} ${said}`;
  if (name === 'home') return `I live in ${said}`;
  if (name === 'employer') return `I work at ${said}`;
  const [, thing = name, kind = ''] = / (?:phone|house|account|room) number$/.test(name)
    ? []
    : (/^(.+) (number|day|time)$/.exec(name) ?? []);
  const isSaid = text.toLowerCase().includes(` ${kind}`);
  if (isPlace(thing) && MOVES.test(text) && /^\p{Lu}/u.test(said))
    return `my ${thing} ${/[^s]s$/.test(thing) ? 'are' : 'is'} in ${said}`;
  const unit = UNIT.exec(text.slice(end))?.[0] ?? '';
  const noun = asWritten(isSaid ? name : thing, text);
  const before = isSaid ? '' : (BEFORE.get(kind) ?? '');
  return `my ${noun} ${/[^s]s$/.test(noun) ? 'are' : 'is'} ${before}${said}${unit}`;
}
/** `Wife's birthday`, for the slot `wife birthday`: whose it is stays. */
function asWritten(noun: string, text: string): string {
  const words = noun.split(' ');
  const tokens = tokensOf(text).filter(({ start }) => start > 0);
  return words
    .map((word, at) => {
      if (at === words.length - 1) return word;
      const found = tokens.find((token) => token.word === `${word}'s`);
      return found === undefined ? word : text.slice(found.start, found.end);
    })
    .map((word, at, all) => {
      if (!all[at + 1]?.endsWith("'s")) return word;
      const found = tokens.find((token) => token.word === word);
      return found === undefined ? word : text.slice(found.start, found.end);
    })
    .join(' ');
}
const isPlace = (thing: string): boolean => PLACES.has(thing.slice(thing.lastIndexOf(' ') + 1));
/** `We moved the office to Turin`: there it is, and no office is Turin. */
const PLACES: ReadonlySet<string> = new Set(
  'office offices headquarters headquarter hq warehouse shop store studio factory plant lab laboratory depot workshop base centre center practice clinic branch kitchen bakery school company business server servers team'.split(
    ' ',
  ),
);
const MOVES = /\b(?:moved?|moving|relocated|transferred|migrated|shifted)\b/i;
const BEFORE: ReadonlyMap<string, string> = new Map([
  ['day', 'on '],
  ['time', 'at '],
]);
/** `36 a month`, `16 units`. */
const UNIT =
  /^(?: ?%| percent| (?:euros?|dollars?|pounds?|quid|kroner|francs?))?(?: (?:a|an|per|each) (?:day|week|month|year|hour|night|term|person|session|head))?/i;
