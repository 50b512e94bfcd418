/**
 * Things of one kind that a number tells apart: `desk 12`, `the 73 bus`, `version 4.2`, `the fifth
 * floor`. However it is said, the number is the value, and the word beside it names the slot.
 */
import { match, stepsOf, type Token } from './match.ts';
import type { OpenFound } from './open.ts';
import { isInNumber } from './values.ts';

interface Labelled {
  readonly slot: string;
  readonly label: string;
  /** The number stands before the word as well: `the 73 bus`. */
  readonly isBefore?: boolean;
}
const LABELS: readonly Labelled[] = [
  { slot: 'desk number', label: 'desk' },
  { slot: 'locker number', label: 'locker' },
  { slot: 'parking space', label: 'parking space/spot/bay/place/slot' },
  { slot: 'bus number', label: 'bus', isBefore: true },
  { slot: 'bus number', label: 'bus line/route', isBefore: true },
  { slot: 'tram number', label: 'tram', isBefore: true },
  { slot: 'version', label: 'version' },
];
const HAVE = 'have/use/rent/take/ride/catch/got/run/sit/work';
const MOVED = 'moved/switched/changed/went/upgraded/downgraded/updated/migrated';
const GIVEN = 'given/assigned/moved/put/allocated/transferred';

const split = (text: string): readonly string[] => text.split(' | ');
/** `L` is the word beside the number. */
const CHANGES = split(
  `i/we ${MOVED} from @ to the/number/L % | i/we ${MOVED} from L @ to % | i/we ${MOVED} from @ to L % | i/we ${MOVED} to L % | ` +
    `i/we ${MOVED} from the @ to the % L | i/we ${MOVED} to the % L | i/we ${MOVED} to the number % L | ` +
    `i/we have been ${GIVEN} L % | i/we was/were/got ${GIVEN} L % | i/we have been ${GIVEN} to L % | i/we was/were/got ${GIVEN} to L % | ` +
    'they moved/put/transferred me/us to/at L % | they gave/assigned me/us L % | they assigned me/us to L % | ' +
    'i/we swapped/traded/exchanged L @ for % | i/we released/installed/shipped L % | ' +
    'my/our L number changed/moved/went/switched from @ to % | my/our L number changed/moved/went/switched to % | ' +
    'my/our L changed/moved/went/switched from @ to % | my/our L changed/moved/went/switched to % | ' +
    'my/our new L number is % | my/our new L is % | i/we have/got a new L it is % | i/we have/got a new L %',
);
const TELLS = split(
  `L % is mine/ours | my/our seat/place is L % | i/we ${HAVE} L % | i/we sit/park/am/are/work at/in/on L % | ` +
    `i/we ${HAVE} the % L | i/we ${HAVE} the number % L | i/we am/are on the % L | ` +
    'my/our L number is % | my/our L is % | my/our current L is % | my/our L is at % | ' +
    'the L i/we have/use/take/rent/ride/catch/run is % | the L i/we sit/park/am/are/work at/in/on is %',
);
const formsOf = ({ label, isBefore }: Labelled, all: readonly string[]): readonly string[] =>
  all
    .filter((form) => isBefore || !form.includes('% L'))
    .map((form) => form.replace('the/number/L', `${isBefore ? 'the' : 'number'}`))
    .map((form) => form.replaceAll(/\bL\b/g, label));
const FORMS = LABELS.map((labelled) => ({
  ...labelled,
  words: labelled.label.split(/[ /]/),
  changes: formsOf(labelled, CHANGES),
  tells: formsOf(labelled, TELLS),
}));

/** `12`, `4B`, `A14`, `4.2`. */
const NUMBER = /^(?:\p{L}{0,2}-?\d{1,4}\p{L}?)$/u;
const VERSION = /^v?\d{1,4}(?:\.\d{1,4}){0,3}$/i;
const BEFORE = /^(?:the|number|no)$/;
/** What may follow: when and where to, as it always is. */
const BEHIND = /^(?:now|instead|to|work|in|the|mornings?|every|each|day|again|too|already)$/;

function numberIn(
  said: readonly Token[],
  labelled: Labelled,
  text: string,
): readonly Token[] | null {
  const words = labelled.label.split(/[ /]/);
  let at = 0;
  while (BEFORE.test(said[at]?.word ?? '') || words.includes(said[at]?.word ?? '')) at += 1;
  let end = at + 1;
  while (isInNumber(text, said[end - 1]?.end ?? 0, said[end]?.start ?? -1)) end += 1;
  const value = said.slice(at, end);
  const [first, last] = [value[0], value.at(-1)];
  if (!first || !last) return null;
  const written = text.slice(first.start, last.end);
  if (!(labelled.slot === 'version' ? VERSION : NUMBER).test(written)) return null;
  const rest = said.slice(end);
  const old = rest.findIndex(({ word }) => word === 'instead' || word === 'as');
  const behind = (old === -1 ? rest : rest.slice(0, old)).filter(
    ({ word }) => !words.includes(word),
  );
  return behind.every(({ word }) => BEHIND.test(word)) ? value : null;
}

export function labelledOf(tokens: readonly Token[], text: string): OpenFound | null {
  // Most sentences name none of them.
  const named = FORMS.filter(({ words }) => tokens.some(({ word }) => words.includes(word)));
  for (const labelled of named)
    for (const [kind, all] of [
      ['changes', labelled.changes],
      ['tells', labelled.tells],
    ] as const)
      for (const form of all) {
        const found = match(tokens, stepsOf(form));
        const value = found && numberIn(found.value, labelled, text);
        if (value) return made(labelled.slot, kind, value);
      }
  return parkedOf(tokens) ?? versionIn(tokens, text) ?? floorOf(tokens);
}
const made = (name: string, kind: OpenFound['kind'], value: readonly Token[]): OpenFound => ({
  name,
  kind,
  value,
  isSoft: false,
  isOwn: true,
  isRestated: kind === 'changes',
  instead: null,
});

/** `I park in B7`, `the spot I park in is B7`. */
function parkedOf(tokens: readonly Token[]): OpenFound | null {
  for (const form of PARKED) {
    const [value, ...more] = match(tokens, stepsOf(form))?.value ?? [];
    const isWhole = more.every(({ word }) => BEHIND.test(word));
    if (value && isWhole && /^(?:\p{L}{1,2}-?\d{1,4}|\d{1,4}\p{L}?)$/u.test(value.word))
      return made('parking space', 'tells', [value]);
  }
  return null;
}
const PARKED = split('i/we park in/at/on % | the spot/space/bay/place/one i/we park in/at/on is %');
/** Of the product, whoever made it: `the current release is 4.2`. */
function versionIn(tokens: readonly Token[], text: string): OpenFound | null {
  for (const form of RELEASED) {
    const found = match(tokens, stepsOf(form));
    // `I upgraded from 5 to 6` seats: only a version has a point.
    const value = found && numberIn(found.value, VERSION_LABEL, text);
    if (value && value.length < 2) continue;
    if (value) return made('version', /was|upgraded/.test(form) ? 'changes' : 'tells', value);
  }
  return null;
}
const VERSION_LABEL: Labelled = { slot: 'version', label: 'version' };
const RELEASED = split(
  'the/our current/latest/live release/version is % | our/the product/app/production is at/on % | our production/product/app runs % | production runs % | production was updated/upgraded from @ to % | production was updated/upgraded to % | i/we upgraded/updated from @ to %',
);

const WHERE = 'office/desk/team/company/department/seat/workplace';
const HOME = 'home/flat/apartment/place';
const FLOORS: readonly (readonly [
  slot: string,
  kind: OpenFound['kind'],
  forms: readonly string[],
])[] = [
  ['home floor', 'tells', split(`i/we live on the % floor | my/our ${HOME} is on the % floor`)],
  ['floor', 'changes', split('i/we moved from the @ floor to the % floor')],
  ['floor', 'changes', split(`my/our ${WHERE} moved from the @ floor to the % floor`)],
  ['floor', 'changes', split('i/we moved/relocated to the % floor')],
  ['floor', 'changes', split('i/we moved/relocated up/down to the % floor')],
  ['floor', 'changes', split(`my/our ${WHERE} moved/relocated to the % floor`)],
  ['floor', 'changes', split(`my/our ${WHERE} moved/relocated up/down to the % floor`)],
  ['floor', 'changes', split(`my/our ${WHERE} has moved to the % floor`)],
  ['floor', 'changes', split(`my/our ${WHERE} has moved up/down to the % floor`)],
  ['floor', 'tells', split('i/we work/sit/am/are on the % floor')],
  ['floor', 'tells', split(`my/our ${WHERE} is on the % floor`)],
];
const ORDINAL =
  /^(?:\d{1,3}(?:st|nd|rd|th)|ground|top|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|\p{L}+teenth|twentieth)$/u;

/** Of the place of work, unless one lives there. */
function floorOf(tokens: readonly Token[]): OpenFound | null {
  for (const [slot, kind, all] of FLOORS)
    for (const form of all) {
      const found = match(tokens, stepsOf(form));
      const [which, more] = found?.value ?? [];
      const floor = which && tokens[tokens.indexOf(which) + 1];
      if (which && floor && !more && ORDINAL.test(which.word))
        return made(slot, kind, [which, floor]);
    }
  return null;
}
