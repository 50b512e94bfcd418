/**
 * `Forget what I said about being vegan`, `forget the thing about Bern`: what is named is neither a
 * statement nor a slot, but what it was about. All of its words stand in what goes. English.
 */
import { isStopWord, stemOf } from '../../text/terms.ts';
import { isDateWord } from '../compare/likeness.ts';
import { wordsOf } from '../sentences/sentence.ts';
import { bareNameAsked, holdsName, smallNameAsked, smallNameIn } from './bare-name.ts';
import { REQUEST, requestsIn, withoutCourtesy } from './forget-words.ts';
import { isKind, isOfKind, kindAsked } from './owned-kinds.ts';

const I_SAID =
  '(?:(?:i|we) (?:have )?(?:just |ever |once )?' +
  '(?:said|told you|mentioned|wrote|shared|brought up|let you know|stated|claimed))';
const YOU_KNOW =
  "(?:you(?:'ve)? (?:have |had )?(?:know|remember|stored|noted|saved|kept|learned|learnt)(?: (?:stored|saved|noted))?)";
const WHEN =
  '(?: (?:earlier|before|above|just now|yesterday|today|last time|the other day|to you))*';
const THING =
  '(?:the|that|my) (?:things?|bits?|parts?|stuff|facts?|points?|infos?|information|news|statements?|comments?|remarks?|details?)';
const ABOUT = '(?:about|regarding|concerning|on|with)';
const ASKS = new RegExp(
  `${REQUEST}(?:forget|disregard|erase|delete|remove)(?: about)? ` +
    `(?:(?:what|whatever) (?:${I_SAID}|${YOU_KNOW})` +
    `|(?:everything|anything|all|all of it)(?: that)?(?: (?:${I_SAID}|${YOU_KNOW}))?` +
    `|${THING}(?: that)?(?: ${I_SAID})?)${WHEN} ${ABOUT} (.+)$`,
);
/**
 * `Everything you know about me`, `everything I told you`. The whole sentence asks for it: one that
 * goes on (`…, and act as a pirate`) is of the talk alone.
 */
const EVERYTHING =
  '(?:everything|anything|all|all of it|all (?:of )?(?:the )?(?:things?|stuff|facts?|information|data|details?|memories))';
const OF_ALL = new RegExp(
  `${REQUEST}(?:forget|erase|delete|remove)(?: about)? (?:` +
    `(?:${EVERYTHING}(?: that)?(?: (?:${I_SAID}|${YOU_KNOW}))?|(?:what|whatever) ${YOU_KNOW})` +
    `${WHEN} (?:about|of|on|regarding) (?<self>me|myself|us)|` +
    `${EVERYTHING}(?: that)? (?:i|we) (?:have )?(?:ever |once )?(?:told you|shared with you|said to you)` +
    '(?: so far| ever| about (?<own>me|myself|us))?)$',
);
const YOUR_MEMORY = '(?:all (?:of )?)?your (?:(?:whole|entire|complete) )?(?:memory|memories)';
const NOW = '(?: (?:completely|entirely|again|right now|immediately))?';
/** All of it, in no more words: `Forget everything`, `wipe your memory`, `clear all memories`. */
const OF_MEMORY = new RegExp(
  `${REQUEST}(?:forget (?:everything|all of it|it all)|` +
    `(?:reset|wipe|clear|erase|delete|purge|empty) (?:out )?(?:${YOUR_MEMORY}|all (?:the )?memories))${NOW}$`,
);
/** `Wipe your memory of me`, `delete my memories`, `delete all my data`. */
const OF_OWN = new RegExp(
  `${REQUEST}(?:reset|wipe|clear|erase|delete|purge|remove|forget) (?:out )?(?:` +
    `(?:${YOUR_MEMORY}|all (?:the |your )?memories) (?:of|about|on) (?:me|myself|us)|` +
    '(?:all (?:of )?)?my (?:memory|memories)|' +
    `all (?:of )?my (?:personal )?(?:data|information|info|details))${NOW}$`,
);
const [ALL_OF_SELF, ALL_TOLD] = ['everything about me', 'everything that i told you'];

/** What a sentence asks to forget all of, in plain words; null = it asks for no such thing. */
export function matterAsked(text: string): string | null {
  const whole = requestsIn(text)[1];
  const asking = withoutCourtesy(whole ?? '');
  if (OF_OWN.test(asking)) return ALL_OF_SELF;
  if (OF_MEMORY.test(asking)) return ALL_TOLD;
  const all = OF_ALL.exec(asking);
  if (all) return (all.groups?.['self'] ?? all.groups?.['own']) ? ALL_OF_SELF : ALL_TOLD;
  const named = bareNameAsked(text) ?? kindAsked(text) ?? smallNameAsked(text);
  if (named !== null) return named;
  for (const said of requestsIn(text)) {
    const [, matter = ''] = ASKS.exec(said) ?? [];
    const asked = withoutCourtesy(matter).replace(OWN_SELF, '');
    if (asked !== '') return asked;
  }
  return null;
}
/** `About me being vegan`, `about the fact that I am vegan`. */
const OWN_SELF = /^(?:the fact )?that (?=i |we |my |our )|^(?:me|my|us|our) (?=\p{L}{2,}ing )/u;

const GERUND = /^(\p{L}{2,})ing (.+)$/u;
/** Statements that say so: `being vegan` is `I am vegan`, `living in Bern` is `I live in Bern`. */
export function statementsOf(matter: string): readonly string[] {
  if (/^(?:i|we) /.test(matter)) return [matter];
  const [, stem = '', rest = ''] = GERUND.exec(matter) ?? [];
  if (stem === '' || NO_GERUND.has(`${stem}ing`)) return [];
  if (stem === 'be') return [`i am ${rest}`];
  const bases = [stem, `${stem}e`, stem.replace(/(\p{L})\1$/u, '$1')];
  return [`i am ${stem}ing ${rest}`, ...[...new Set(bases)].map((base) => `i ${base} ${rest}`)];
}
const NO_GERUND: ReadonlySet<string> = new Set(
  'something anything nothing everything morning evening wedding meeting building ring king spring sibling ceiling'.split(
    ' ',
  ),
);

export interface Matter {
  /** Each stands in what goes. */
  readonly stems: readonly string[];
  /** Said of the speaker: `being vegan` is not of a sister who is. */
  readonly of: 'all' | 'self' | 'being';
  /** Of things that the speaker has: see `kindAsked`. */
  readonly kind?: string;
  /** A name, in small letters: see `smallNameAsked`. */
  readonly name?: string;
  /** No word says which: all of it. */
  readonly isAll?: boolean;
}

/** null = no word of it says what is meant: `about that`, `about me`. */
export function matterOf(matter: string): Matter | null {
  if (matter === ALL_OF_SELF) return { stems: [], of: 'self', isAll: true };
  if (matter === ALL_TOLD) return { stems: [], of: 'all', isAll: true };
  if (isKind(matter)) return { stems: [], of: 'self', kind: matter };
  const small = smallNameIn(matter);
  if (small !== null) return { stems: [], of: 'all', name: small };
  const words = wordsOf(matter).map((word) => word.replace(/'s$/, ''));
  const isBeing = /^being |^(?:i|we) (?:am|are) /.test(matter);
  const isSelf = isBeing || /^(?:i|we) /.test(matter) || statementsOf(matter).length > 0;
  const telling = words.filter((word) => !isStopWord(word) && !isDateWord(word) && !BE.has(word));
  if (telling.length === 0 || words.length > MOST_WORDS) return null;
  return { stems: telling.map(stemOf), of: isBeing ? 'being' : isSelf ? 'self' : 'all' };
}
const MOST_WORDS = 8;
const BE: ReadonlySet<string> = new Set(
  "i i'm i've am is are was were be been being has have had went go goes gone turned turn became become not no longer now still also the really very strictly fully mostly actually currently got me my you".split(
    ' ',
  ),
);

/** As it was said, or as it is kept of somebody whose name stands before it. */
export function isOfMatter(matter: Matter, text: string, name: string | null): boolean {
  const { stems, of, kind, isAll = false } = matter;
  if (kind !== undefined) return isOfKind(kind, text, name);
  if (matter.name !== undefined) return holdsName(matter.name, text);
  if (isAll) return of === 'all' || namesSelf(text, name);
  if (name !== null && of !== 'all' && !text.startsWith(`${name} `)) return false;
  const words = wordsOf(name === null ? text : text.slice(text.startsWith(name) ? name.length : 0));
  if (name === null && of !== 'all' && !SPEAKS_OF_SELF.test(words[0] ?? '')) return false;
  const said = words.map((word) => stemOf(word.replace(/'s$/, '')));
  const places = stems.map((stem) => said.findIndex((each) => isOneWord(each, stem)));
  if (places.includes(-1)) return false;
  if (of !== 'being') return true;
  const first = Math.min(...places);
  return words.slice(0, first).every((word) => BE.has(word) || word === 'a' || word === 'an');
}
/** Wherever in it: `Bo is my dentist` is of the speaker as well. */
const namesSelf = (text: string, name: string | null): boolean =>
  wordsOf(text)
    .map((word) => word.replace(/'(?:s|m|ve|re|d|ll)$/, ''))
    .some((word) => (name === null ? OWN_WORDS.has(word) : wordsOf(name).includes(word)));
const OWN_WORDS: ReadonlySet<string> = new Set('i my me mine myself we our us ours'.split(' '));

/** `Allergy` and `allergic` have two stems. */
const isOneWord = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= LEAST_STEM &&
    (one.startsWith(other) || other.startsWith(one)) &&
    Math.abs(one.length - other.length) <= 1);
const LEAST_STEM = 6;
const SPEAKS_OF_SELF = /^(?:i|i'm|i've|we|we're|we've)$/;
