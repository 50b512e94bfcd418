/** Other ways to say the same words, which the forms do not have one by one. */
import { isPast } from '../past-form.ts';
import type { Token } from './match.ts';

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

/** As it was said first; the others only where that says nothing. */
export function* variantsOf(tokens: readonly Token[]): Generator<readonly Token[]> {
  yield tokens;
  const plain = withoutDetour(tokens);
  if (plain.length !== tokens.length) yield plain;
  const own = withoutSetting(plain);
  if (own !== null) yield own;
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

function withoutDetour(tokens: readonly Token[]): readonly Token[] {
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
