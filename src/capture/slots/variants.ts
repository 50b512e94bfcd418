/** Other ways to say the same words, which the forms do not have one by one. */
import { isPast } from '../sentences/past-form.ts';
import { isBase } from './aspect.ts';
import type { Token } from './match.ts';
import { relative, takenOver, turned, withoutGoTo, withoutSince } from './turned.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const PARTICIPLES = set(
  'gone become begun taken given chosen driven sold bought got left quit set cut put had found made let met paid lost begun hired',
);
const PASTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gone: 'went',
    become: 'became',
    begun: 'began',
    taken: 'took',
    given: 'gave',
    chosen: 'chose',
    driven: 'drove',
  }),
);
const PLACES = set('over out up down back here right');
const BEFORE_PLACE = set('live living lives lived based staying');
/** What happened, and how it came to be so: `I had to switch to`, `I managed to get`. */
const CAME_TO = set('managed had got');
const PAST_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    switch: 'switched',
    change: 'changed',
    move: 'moved',
    get: 'got',
    find: 'found',
    buy: 'bought',
    sell: 'sold',
    leave: 'left',
    take: 'took',
    join: 'joined',
    start: 'started',
    replace: 'replaced',
    cancel: 'cancelled',
    quit: 'quit',
    give: 'gave',
    go: 'went',
    ditch: 'ditched',
    dump: 'dumped',
    return: 'returned',
    drop: 'dropped',
    hire: 'hired',
    adopt: 'adopted',
    swap: 'swapped',
    trade: 'traded',
    choose: 'chose',
    pick: 'picked',
    raise: 'raised',
    lower: 'lowered',
    cut: 'cut',
    set: 'set',
  }),
);

/** `ditching` is `ditched`, `selling` is `sold`. */
function pastOfGerund(gerund: string): string {
  const stem = gerund.replace(/ing$/, '');
  const undoubled = stem.replace(/(.)\1$/, '$1');
  for (const base of [stem, undoubled, `${stem}e`]) {
    const past = PAST_OF.get(base);
    if (past !== undefined) return past;
  }
  return stem.endsWith('ed') ? stem : `${stem}ed`;
}

/** As it was said first, without that it was said before; the others where that says nothing. */
export function* variantsOf(tokens: readonly Token[], text: string): Generator<readonly Token[]> {
  const told = withoutGoTo(withoutTold(tokens));
  const bare = withoutSince(told) ?? told;
  const first = takenOver(bare) ?? relative(bare, 'anything');
  if (first !== null) yield first;
  yield bare;
  const other = turned(bare, text) ?? relative(bare, 'thing');
  if (other !== null) yield other;
  const over = noLonger(bare, text);
  if (over !== null) yield over;
  const plain = withoutDetour(bare);
  if (plain.length !== bare.length) yield plain;
  const must = withoutMust(plain);
  if (must !== null) yield must;
  const own = withoutSetting(plain);
  if (own !== null) yield own;
}

/** `I used to live in Rome`: where that is known, it is over. */
function noLonger(tokens: readonly Token[], text: string): readonly Token[] | null {
  const [who, used, to, ...rest] = tokens;
  const isOver =
    (who?.word === 'i' || who?.word === 'we') && used?.word === 'used' && to?.word === 'to';
  return isOver && !TELLS_WHEN.test(text)
    ? [who, { ...used, word: 'no' }, { ...to, word: 'longer' }, ...rest]
    : null;
}
/** Of another time of life it tells, or of what is so instead: then the clause behind it counts. */
const TELLS_WHEN =
  /[,;:]| (?:but|and|so|then|now|when|while|back|once|during|before|after|until|as an?|in (?:my|our|the|college|high|primary|school|university|\d{4})|at (?:one|some) (?:point|time)|years? ago|growing up)\b/i;

/** `I told you that`, `I know I said`: what was said before stands in what follows. */
export function withoutTold(tokens: readonly Token[]): readonly Token[] {
  const words = tokens.slice(0, MOST_TOLD).map(({ word }) => word);
  if (words[0] !== 'i') return tokens;
  const isKnown = words[1] === 'know' && words[2] === 'i';
  const verb = isKnown ? 3 : 1;
  if (!/^(?:told|said|mentioned|wrote)$/.test(words[verb] ?? '')) return tokens;
  if (isKnown && /^[\d\p{Lu}]/u.test(words[verb + 1] ?? '')) return tokens.slice(2);
  let at = verb + 1;
  while (/^(?:you|that|earlier|before)$/.test(words[at] ?? '')) at += 1;
  return tokens.slice(at);
}
const MOST_TOLD = 8;

/** `I have to get up at 6`: what one must do again and again, one does. */
function withoutMust(tokens: readonly Token[]): readonly Token[] | null {
  const [who, have, to, verb] = tokens.map(({ word }) => word);
  const isMust = (have === 'have' || have === 'need') && to === 'to' && isBase(verb ?? '');
  return (who === 'i' || who === 'we') && isMust
    ? [...tokens.slice(0, 1), ...tokens.slice(3)]
    : null;
}

/** `At work I'm in the billing team`. */
function withoutSetting(tokens: readonly Token[]): readonly Token[] | null {
  const at = tokens.findIndex(({ word }) => OWN.has(word));
  return at > 0 && at <= MOST_SETTING && SETTING.has(tokens[0]?.word ?? '')
    ? tokens.slice(at)
    : null;
}
const OWN = set('i we my our');
const SETTING = set('at for in with on as after since so from to');
const MOST_SETTING = 4;

export function withoutDetour(tokens: readonly Token[]): readonly Token[] {
  const said: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const [before, next, later] = [
      tokens[at - 1]?.word,
      tokens[at + 1]?.word ?? '',
      tokens[at + 2],
    ];
    const isOfSpeaker = before === 'i' || before === 'we';
    if (isOfSpeaker && token.word === 'have' && (PARTICIPLES.has(next) || isPast(next))) {
      const past = tokens[at + 1];
      if (past) said.push({ ...past, word: PASTS.get(next) ?? next });
      at += 1;
      continue;
    }
    const ending = before !== undefined && token.word === 'ended' && next === 'up';
    if (ending && later?.word.endsWith('ing')) {
      said.push({ ...later, word: pastOfGerund(later.word) });
      at += 2;
      continue;
    }
    const past = PAST_OF.get(later?.word ?? '');
    if (CAME_TO.has(token.word) && next === 'to' && later && past !== undefined) {
      said.push({ ...later, word: past });
      at += 2;
      continue;
    }
    if (PLACES.has(token.word) && BEFORE_PLACE.has(before ?? '')) continue;
    said.push(token);
  }
  return said;
}
