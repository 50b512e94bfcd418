/**
 * Statements that name the value first, or the thing by what is done with it, as `my N is %`:
 * `Bosch is my main client`, `Tom took over as my manager`, `the bus I take is the 73`.
 */
import { MONTH_NAMES } from '../../text/calendar.ts';
import { isKin, isPerson } from '../voices/people.ts';
import { isBase } from './aspect.ts';
import { match, stepsOf, type Token } from './match.ts';
import { DETERMINERS, NO_NOUN } from './nouns.ts';
import { ANIMALS, ATTRIBUTES, FUNCTIONAL, isNoState, MEASURES } from './things.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const forms = (text: string): readonly string[] => text.split(' | ');

/** The value stands first; the noun is all that follows. Each tells of a change. */
const TOOK_OVER: readonly string[] = [
  ...forms('% took/takes over from @ as my/our | % has/have taken over from @ as my/our'),
  ...forms('% took/takes over as my/our | % has/have taken over as my/our'),
  ...forms('% is/are taking over as my/our | % took/takes over for @ as my/our'),
  ...forms('% replaced/replaces/succeeded @ as my/our | % has/have replaced @ as my/our'),
];
const IS_MINE: readonly string[] = forms('% is/are my/our');
const WITH: readonly string[] = forms('i/we have my/our % with/at/from');
const MOST_VALUE = 4;
const MOST_NOUN = 4;

/** `my new manager is Tom`: the words keep their places in the text. */
const stated = (noun: readonly Token[], value: readonly Token[], between: string): Token[] => {
  const at = noun[0]?.start ?? 0;
  const word = (each: string): Token => ({ word: each, start: at, end: at });
  const [lead = '', ...rest] = between.split(' | ');
  return [
    ...lead.split(' ').map(word),
    ...noun,
    ...rest.flatMap((each) => each.split(' ')).map(word),
    ...value,
  ];
};

interface Parts {
  readonly value: readonly Token[];
  readonly noun: readonly Token[];
}
/** Value and noun of a form that ends with `my/our`. */
function partsIn(tokens: readonly Token[], form: string): Parts | null {
  for (let end = tokens.length - 1; end > 2; end -= 1) {
    const word = tokens[end - 1]?.word;
    if (word !== 'my' && word !== 'our') continue;
    const found = match(tokens.slice(0, end), stepsOf(form));
    const noun = tokens.slice(end);
    if (found && isPart(found.value, MOST_VALUE) && isPart(noun, MOST_NOUN))
      return { value: found.value, noun };
  }
  return null;
}
const isPart = (words: readonly Token[], most: number): boolean =>
  words.length > 0 &&
  words.length <= most &&
  !words.some(({ word }, at) => NO_NOUN.has(word) && !(at === 0 && DETERMINERS.has(word)));

const startsNamed = ([first]: readonly Token[], text: string): boolean =>
  first !== undefined && /^[\p{Lu}\d]/u.test(text.slice(first.start));

const NOTHING: Token = { word: '', start: 0, end: 0 };
/** `The supervisor of my thesis`, but not `the end of my rope`. */
const isOfThing = (head: string): boolean =>
  [FUNCTIONAL, ATTRIBUTES, MEASURES].some((things) => things.has(head)) ||
  (isPerson(head) && !isKin(head));

/** `My go-to restaurant` is the favourite one. */
export function withoutGoTo(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(({ word }) => word === 'my' || word === 'our');
  const [go, to, noun] = tokens.slice(at + 1);
  if (at === -1 || go?.word !== 'go' || to?.word !== 'to' || !noun) return tokens;
  return [
    ...tokens.slice(0, at + 1),
    { ...go, word: 'favorite', end: to.end },
    ...tokens.slice(at + 3),
  ];
}

/** Read before all else: the old value that stands between is none of the new one. */
export function takenOver(tokens: readonly Token[]): readonly Token[] | null {
  for (const form of TOOK_OVER) {
    const parts = partsIn(tokens, form);
    if (parts) return stated(parts.noun, parts.value, 'my new | is');
  }
  return null;
}

/** `Bosch is my main client`, `I have my car insurance with Aviva`. */
export function turned(tokens: readonly Token[], text: string): readonly Token[] | null {
  for (const form of IS_MINE) {
    const parts = partsIn(tokens, form);
    const head = parts?.noun.at(-1)?.word ?? '';
    if (!parts || !startsNamed(parts.value, text) || isNoState(head)) continue;
    // `Rex is my dog`, `Ada is my sister`: one of several.
    if (ANIMALS.has(head) || isKin(head)) continue;
    return stated(parts.noun, parts.value, 'my | is');
  }
  const of = match(tokens, stepsOf('the % of/for my/our @ is %'));
  const link = of ? tokens.indexOf(of.value.at(-1) ?? NOTHING) + 1 : 0;
  const is = tokens.findIndex(({ word }, at) => at > link && word === 'is');
  if (of && is > link + 2) {
    const noun = [...tokens.slice(link + 2, is), ...of.value];
    if (isPart(noun, MOST_NOUN) && isOfThing(of.value.at(-1)?.word ?? ''))
      return stated(noun, tokens.slice(is + 1), 'my | is');
  }
  for (const form of WITH) {
    const found = match(tokens, stepsOf(form));
    const at = found ? tokens.indexOf(found.value.at(-1) ?? NOTHING) + 1 : 0;
    const by = tokens[at];
    const value = tokens.slice(at + 1);
    if (found && by && isPart(found.value, MOST_NOUN) && startsNamed(value, text))
      return stated(found.value, [by, ...value], 'my | is');
  }
  return null;
}

/** They say only that something is there: what is done with it tells what it is. */
const ANYTHING = set('person one man woman guy lady company firm place thing people');
const MOST_CLAUSE = 4;
const PREPOSITIONS = set('to at in on with from by for under');
const WANTED = set('like love hate want need prefer miss');
/** `The bus I take is the 73` is `my bus is the 73`, `the person I report to` is `I report to`. */
export function relative(
  tokens: readonly Token[],
  of: 'anything' | 'thing',
): readonly Token[] | null {
  if (tokens[0]?.word !== 'the') return null;
  const who = tokens.findIndex(({ word }) => word === 'i' || word === 'we');
  const is = tokens.findIndex(({ word }, at) => at > who && /^(?:is|are)$/.test(word));
  const noun = tokens.slice(
    1,
    /^(?:that|which|who)$/.test(tokens[who - 1]?.word ?? '') ? who - 1 : who,
  );
  const clause = tokens.slice(who, is);
  const verb = clause[1]?.word ?? '';
  if (who < 2 || is < 0 || !isPart(noun, MOST_NOUN) || clause.length > MOST_CLAUSE) return null;
  if (!(isBase(verb) || CLAUSE_VERBS.has(verb)) || WANTED.has(verb)) return null;
  const value = tokens.slice(is + 1);
  if (value.length === 0) return null;
  const isThing = !ANYTHING.has(noun.at(-1)?.word ?? '');
  if (isThing !== (of === 'thing')) return null;
  if (isThing) return stated(noun, value, 'my | is');
  const last = clause.at(-1)?.word ?? '';
  return clause.length === 2 || PREPOSITIONS.has(last) ? [...clause, ...value] : null;
}
const CLAUSE_VERBS = set('own wear catch order practise practice am are live');

/** `Since May Tom is my manager`: since when says nothing of whom. */
export function withoutSince(tokens: readonly Token[]): readonly Token[] | null {
  const [since, of, named] = tokens.map(({ word }) => word);
  const at = since === 'since' || since === 'from' || since === 'starting' ? 1 : 0;
  const from = at === 0 && since === 'as' && of === 'of' ? 2 : at;
  if (from === 0) return null;
  const next = from === 1 ? of : named;
  const end = /^(?:last|this|early|late|mid)$/.test(next ?? '') ? from + 1 : from;
  return WHEN.has(tokens[end]?.word ?? '') && tokens.length > end + 3
    ? tokens.slice(end + 1)
    : null;
}
const WHEN: ReadonlySet<string> = new Set([
  ...MONTH_NAMES,
  ...'spring summer autumn fall winter christmas easter year month week'.split(' '),
]);
