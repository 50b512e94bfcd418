/**
 * Two clauses: a value goes in the first one, another comes in the second: `Ines moved out, I share
 * with Priya now`. Which state it is, the value that goes tells, or the noun of the second clause.
 */
import { type Clauses, clausePairs, isCut } from './clauses.ts';
import { endedOf } from './ended.ts';
import { switchedTo } from './instead.ts';
import { isWithoutI, match, slotOfNoun, stepsOf, type Token } from './match.ts';
import { NO_NOUN } from './nouns.ts';
import {
  bareValue,
  frameOf,
  newOf,
  type OpenFound,
  openNounOf,
  upToCut,
  upToJoint,
  verbIn,
  withoutArticle,
} from './open.ts';
import { kindOf, withoutNaming } from './values.ts';

const forms = (text: string): readonly string[] => text.split(' | ');
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const HAVE =
  'have/use/drive/ride/drink/take/got/bought/do/play/eat/adopted/read/see/chose/picked/joined/hired/' +
  'found/ordered/started/rent/own/wear/watch/keep/went/study/learn/need/leased';
const AT =
  'on/with/at/under/for/to/in/into/up/over/back/using/doing/playing/reading/watching/seeing/taking/learning/driving/wearing/dating/training/eating/drinking';
/** What comes instead; the words between the verb and the value name nothing. */
const FRESH: readonly string[] = [
  ...forms('i/we signed up for/with/at/to % | i/we took up/out % | i/we opted for %'),
  ...forms('i/we have been assigned/moved/referred/transferred/given/put to/on/with %'),
  ...forms('i/we got/was/were assigned/moved/referred/transferred/put to/on/with/onto %'),
  `i/we ${HAVE} ${AT} %`,
  `i/we am/are back ${AT} %`,
  `i/we am/are going to/with %`,
  `i/we am/are ${AT} %`,
  `i/we go/went/moved/switched/changed/settled/stick/stuck/live/share/started/begin/work ${AT} %`,
  `i/we ${HAVE} %`,
  ...forms('my/our/the replacement is % | i/we replaced it/him/her/them with/by %'),
  ...forms('the new one is % | it is % | he is % | she is %'),
  ...forms('% took over @ | % took over | % is/are in | % is/are taking over | % has moved in'),
  ...forms('% replaced it/him/her/them | % is/are replacing it/him/her/them'),
  ...forms('% filled in | % stepped in | % moved in'),
];

const LEADING = set('a an the my our new different another just');
const TRAILING = set('now instead again too already today anymore place');
const MOST_FRESH_WORDS = 4;

/** The value of the clause, and the state that the clause itself names. */
function freshIn(given: readonly Token[], text: string) {
  const tokens = withSubject(given);
  const named =
    newOf(tokens, text) ?? verbIn(tokens) ?? frameOf(tokens, text) ?? nounIn(tokens, text);
  if (named && named.kind !== 'ends' && named.instead === null) {
    const value = freshValue(named.value, text);
    if (value) return { name: named.name, value };
  }
  for (const form of FRESH) {
    const found = match(tokens, stepsOf(form));
    const value = found && freshValue(found.value, text);
    if (value) return { name: '', value };
  }
  return null;
}

function nounIn(tokens: readonly Token[], text: string): OpenFound | null {
  const isNoun = /^(?:my|our|the|new)$/.test(tokens[0]?.word ?? '') || /\bnow\b/i.test(text);
  return isNoun ? openNounOf(tokens, text, true) : null;
}

function withSubject(tokens: readonly Token[]): readonly Token[] {
  const [first, second] = tokens;
  if (!first || !isWithoutI([first.word, second?.word ?? ''])) return tokens;
  const who = { word: 'i', start: first.start, end: first.start };
  return /ing$/.test(first.word) ? [who, { ...who, word: 'am' }, ...tokens] : [who, ...tokens];
}

function freshValue(said: readonly Token[], text: string): readonly Token[] | null {
  let value = upToJoint(upToCut(withoutArticle(bareValue(withoutNaming(said))), text));
  const stop = value.findIndex((token, at) => {
    const before = value[at - 1];
    return before !== undefined && isCut(text, before, token);
  });
  if (stop !== -1) value = value.slice(0, stop);
  while (value.length > 1 && LEADING.has(value[0]?.word ?? '')) value = value.slice(1);
  while (value.length > 1 && TRAILING.has(value.at(-1)?.word ?? '')) value = value.slice(0, -1);
  if (value.length === 0 || value.length > MOST_FRESH_WORDS) return null;
  if (value.some(({ word }) => NO_NOUN.has(word) || word.endsWith("'s"))) return null;
  return kindOf(value, text) === null ? null : value;
}

/** What happens to a name so that another takes its place; alone none of it ends anything. */
function goneWith(tokens: readonly Token[], text: string): readonly Token[] | null {
  const from = /^(?:the|my|our|bye|goodbye|farewell)$/.test(tokens[0]?.word ?? '') ? 1 : 0;
  let to = from;
  while (to < tokens.length && isCapital(tokens[to], text)) to += 1;
  // `the Orange card expired`
  const isKind =
    from > 0 &&
    to > from &&
    to < tokens.length - 1 &&
    !HAPPENS.has(tokens[to]?.word ?? '') &&
    /ed$|^(?:broke|died|got|is|was)$/.test(tokens[to + 1]?.word ?? '');
  if (to === from || to - from > MOST_FRESH_WORDS) return null;
  const end = isKind ? to + 1 : to;
  const value = tokens.slice(from, end);
  // `My GP left`: no name, but what one has.
  if (from > 0 && slotOfNoun(value.map(({ word }) => word)) !== null) return null;
  return value.some(({ word }) => NO_NOUN.has(word)) || !HAPPENS.has(tokens[end]?.word ?? '')
    ? null
    : value;
}
const isCapital = (token: Token | undefined, text: string): boolean =>
  token !== undefined && /^[\p{Lu}\d]/u.test(text.slice(token.start, token.end));
const HAPPENS = set(
  'left quit retired died closed broke resigned moved went got is was has had expired stopped ended folded crashed failed shut raised became gave let kept made changed cancelled canceled ran lost died',
);

/** `so`, `now` or `instead`: the second is because of the first. */
const FOLLOWS =
  /\b(?:so|now|new|instead|these days|since then|assigned|transferred|switched|went with|signed|took over)\b/i;

const MOST_TEXT = 240;
const ENDING =
  /\b(?:\p{L}+ed|left|quit|gone|done|off|out|sold|broke|over|moved|bye|no longer|any ?more)\b/iu;
/** Whether two sentences that follow each other may be such a pair. */
export const mayBePair = (one: string, other: string): boolean =>
  one.length + other.length < MOST_TEXT && ENDING.test(one) && FRESHLY.test(other);
const FRESHLY = /^(?:so |and |now )?(?:I|we|my|our|the|it)\b|\b(?:now|new|instead)\b/i;
export function pairOf(tokens: readonly Token[], text: string): OpenFound | null {
  if (text.length > MOST_TEXT) return null;
  for (const clauses of clausePairs(tokens, text)) {
    const found = goneAndFresh(clauses, text);
    if (found) return found;
  }
  return null;
}

function goneAndFresh({ before, after }: Clauses, text: string): OpenFound | null {
  const ended = endedOf(before, text)?.value ?? null;
  const [last] = before.slice(-1);
  const gone =
    ended ?? (last && FOLLOWS.test(text.slice(last.end)) ? goneWith(before, text) : null);
  const fresh = gone && freshIn(after, text);
  if (!gone || !fresh) return null;
  // A name gives way to a name, where only the second clause says that it did.
  if (ended === null && kindOf(fresh.value, text) !== 'name') return null;
  const made = switchedTo(gone, fresh.value, text);
  if (!made || sameWords(gone, fresh.value)) return null;
  const name = fresh.name === '' ? made.name : fresh.name;
  return { ...made, name, isRestated: name !== '' };
}

const sameWords = (one: readonly Token[], other: readonly Token[]): boolean =>
  one.map(({ word }) => word).join(' ') === other.map(({ word }) => word).join(' ');
