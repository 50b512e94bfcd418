/**
 * A value that goes, where only the value is named: `Acme is done`, `I gave up the cello`. Which
 * state ends, what is known tells; where nothing is known to have that value, nothing ends.
 */
import { isLanguage } from '../sentences/languages.ts';
import { match, openNoun, slotOfNoun, stepsOf, type Token } from './match.ts';
import { NO_NOUN } from './nouns.ts';
import { bareValue, nameOf, type OpenFound, withoutArticle } from './open.ts';
import { kindOf } from './values.ts';

const forms = (text: string): readonly string[] => text.split(' | ');

/** `%` is to the end of the clause: `I dropped Rex at the vet` ends nothing. */
const ENDS: readonly string[] = [
  ...forms('i/we am/are done/finished/through with % | i/we broke/split up with %'),
  ...forms('i/we got rid of % | i/we parted ways with % | i/we gave up on %'),
  ...forms('i/we gave up % | i/we have given up % | i/we unsubscribed/resigned from %'),
  ...forms('i/we am/are no longer with/at/on/in/using/seeing/dating/learning/reading/doing %'),
  ...forms('i/we am/are not with/at/on/in/using/seeing/dating/learning/reading/doing %'),
  ...forms('i/we no longer use/have/see/take/drive/ride/do/play/drink/eat/read/own/attend %'),
  ...forms('i/we do not use/have/see/take/drive/ride/do/play/drink/eat/read/own/attend %'),
  ...forms('me/i and % broke/split up | % and me/i broke/split up | it is over with %'),
  ...forms('i/we stopped/quit using/taking/doing/playing/learning/seeing/dating/drinking %'),
  ...forms('i/we stopped going to % | i/we quit/left/ditched/dropped/dumped/cancelled/canceled %'),
  ...forms('i/we sold/stopped/finished/abandoned/returned/scrapped/rehomed %'),
  ...forms('% is/are/was gone/done/over/finished/history/dead/sold/cancelled/canceled'),
  ...forms('% has/have ended/closed/retired/resigned/stepped/moved down/out'),
  ...forms('% has/have ended/closed/retired/resigned | % ended/retired/resigned'),
  ...forms('i/we am/are off/leaving % | i/we handed in my/our notice at % | i/we moved on from %'),
  ...forms('i/we gave % up | i/we took @ out of % | not % anymore | no longer %'),
  ...forms('i/we deleted/uninstalled/dumped/binned %'),
  ...forms(
    '% is/are/has/have gone bust/under/bankrupt | % went bust/under/bankrupt | % has/have moved out | % has/have expired/folded/shut/died | % expired/folded/closed',
  ),
  ...forms('% was/were/got/is stolen/nicked/totaled/totalled/wrecked/scrapped/repossessed'),
  ...forms('i/we came/weaned off % | @ took/weaned me/us off %'),
  ...forms('% stepped down | % moved out | % passed away | no more % for me/us | no more %'),
];

const MOST_WORDS = 4;
const AFTER: ReadonlySet<string> = new Set('because since after so but though and'.split(' '));
const TRAILING: ReadonlySet<string> = new Set('anymore again too now'.split(' '));

/** The first clause alone: what follows it says no more of what ends. */
function clauseOf(tokens: readonly Token[], text: string): readonly Token[] {
  const isAnymore = /\bany ?more\b/i.test(text);
  const cut = tokens.findIndex(({ word, start }, index) => {
    const before = tokens[index - 1];
    if (before === undefined) return false;
    return AFTER.has(word) && index > 3
      ? true
      : /[,;:!?–—]|\. /.test(text.slice(before.end, start));
  });
  const clause = [...(cut === -1 ? tokens : tokens.slice(0, cut))];
  while (TRAILING.has(clause.at(-1)?.word ?? '')) clause.pop();
  const [first] = clause;
  // `Not climbing anymore` has no other words to end with.
  if (first?.word === 'not' && isAnymore) clause.push({ ...first, word: 'anymore' });
  return clause;
}

/** `Rex is done with his food`, `Acme is done today`: of a part, or of a day. */
function isWhole(
  { form, value }: { readonly form: string; readonly value: readonly Token[] },
  clause: readonly Token[],
  text: string,
): boolean {
  if (form.startsWith('i/we am/are not') || form.startsWith('i/we do not'))
    return !value.some(({ word }, at) => at > 0 && IN_PART.test(word)) || /any ?more/i.test(text);
  const [last] = value.slice(-1);
  if (!form.startsWith('% ') || !last) return true;
  const end = clause.indexOf(last) + form.split(' ').length;
  const [verb = '', ...rest] = clause.slice(end - 1).map(({ word }) => word);
  if (OF_DAY.test(verb) && TODAY.test(text)) return false;
  return LASTING.test(verb) || rest.length === 0 || FOR_GOOD.test(rest.join(' '));
}
const IN_PART =
  /^(?:for|with|without|in|at|on|by|as|like|during|well|badly|online|offline|tonight|today|much|often|enough|alone|together|outdoors|indoors|[a-z]{3,}ly)$/;
const OF_DAY = /^(?:gone|done|over|finished|closed)$/;
const TODAY = /\b(?:today|tonight|right now|for now|this (?:morning|afternoon|evening|week))\b/i;
/** How, where and of what it died says no less. */
const LASTING = /^(?:retired|resigned|died|folded|expired|away|bust|bankrupt)$/;
const FOR_GOOD =
  /^(?:for good|forever|by now|in the (?:meantime|end)|meanwhile|after all|since then|recently|(?:by|to) .+|of (?:my|our|the) .+)$/;

/** `Olaf is no longer my manager`, `555 0202 isn't my number any more`: of what, it says itself. */
const NO_MORE_MINE =
  /^((?!(?:i|it|he|she|this|that|there|what|who|you|we|they)\b)(?:(?:dr|mr|mrs|ms|prof|st)\. )?[^,;.!?]{2,40}?) (?:(?:is|are) no longer|(?:is not|isn['’]t|are not|aren['’]t)(?=[^,;]{1,60}any ?more)) (?:my|our) ([\p{L}' -]{2,30}?)(?: any ?more)?[.!]*$/iu;
function noMoreMine(tokens: readonly Token[], text: string): OpenFound | null {
  const [, named = '', of = ''] = NO_MORE_MINE.exec(text) ?? [];
  const start = text.indexOf(named);
  const said = tokens.filter((token) => token.start >= start && token.end <= start + named.length);
  const value = withoutArticle(bareValue(said));
  const kind = named === '' || value.length === 0 ? null : kindOf(value, text);
  if (kind === null || kind === 'words' || value.length > MOST_WORDS) return null;
  const noun = of.toLowerCase().split(' ');
  const listed = slotOfNoun(noun);
  const open = listed ?? openNoun(noun);
  if (open === null) return null;
  const name = nameOf(open, listed === null ? kind : null);
  return { name, kind: 'ends', value, isSoft: false, isOwn: true, instead: null };
}

export function endedOf(tokens: readonly Token[], text: string): OpenFound | null {
  const mine = noMoreMine(tokens, text);
  if (mine !== null) return mine;
  const clause = clauseOf(withIs(tokens), text);
  for (const form of ENDS) {
    const found = match(clause, stepsOf(form));
    if (!found || !isWhole({ form, value: found.value }, clause, text)) continue;
    const value = withoutOwner(withoutArticle(bareValue(found.value)));
    if (value.length === 0 || value.length > MOST_WORDS) return null;
    if (value.some(({ word }) => NO_NOUN.has(word)) || isOfName(value, text)) return null;
    if (form.includes(' stolen/') && isNameOfThing(value, text)) return null;
    const kind = kindOf(value, text);
    // `Monday is over` ends no meeting on Mondays.
    const isSpoken = value.length === 1 && isLanguage(value[0]?.word ?? '');
    if (kind !== 'name' && kind !== 'words' && !isSpoken) return null;
    return { name: '', kind: 'ends', value, isSoft: false, isOwn: true, instead: value };
  }
  return null;
}

/** `My Golf club was stolen`, and not the Golf. */
const isNameOfThing = (value: readonly Token[], text: string): boolean => {
  const [first, last] = [value[0], value.at(-1)];
  if (!first || !last || first === last || !/^\p{Lu}/u.test(text.slice(first.start))) return false;
  return /^\p{Ll}/u.test(text.slice(last.start));
};

/** `My Golf clubs`, `Acme's gym`: other things than what the name is of. */
const isOfName = (value: readonly Token[], text: string): boolean => {
  const [first, ...rest] = value;
  const [last] = rest.slice(-1);
  if (!first || !last || !/^\p{Lu}/u.test(text.slice(first.start, first.end))) return false;
  const isCommon = /^\p{Ll}/u.test(text.slice(last.start, last.end));
  return (
    isCommon && (first.word.endsWith("'s") || (/[^s]s$/.test(last.word) && !LESSONS.has(last.word)))
  );
};
const LESSONS: ReadonlySet<string> = new Set('lessons classes'.split(' '));

const withoutOwner = (value: readonly Token[]): readonly Token[] =>
  value[0]?.word === 'my' || value[0]?.word === 'our' ? value.slice(1) : value;

/** `Ada's moved out`. */
function hasDone(tokens: readonly Token[], at: number): readonly Token[] {
  const { word = '', start = 0, end = 0 } = tokens[at] ?? {};
  const long = [word.slice(0, -2), 'has'].map((each) => ({ word: each, start, end: end - 2 }));
  return [...tokens.slice(0, at), ...long, ...tokens.slice(at + 1)];
}

/** `The banjo's gone`. */
function withIs(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(({ word }) => word.endsWith("'s"));
  const short = tokens[at];
  if (!short || at > 2) return tokens;
  const next = tokens[at + 1]?.word ?? '';
  if (/^(?:left|moved|quit|closed|retired|resigned)$/.test(next)) return hasDone(tokens, at);
  if (at !== tokens.length - 2 && next !== 'gone') return tokens;
  const { start, end } = short;
  const long = [short.word.slice(0, -2), 'is'].map((word) => ({ word, start, end }));
  return [...tokens.slice(0, at), ...long, ...tokens.slice(at + 1)];
}
