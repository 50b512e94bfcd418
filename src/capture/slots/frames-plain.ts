/** More frames, as data: states of everyday life that are told by what one does. */
import { type Frame, frame } from './frame.ts';

const START = 'workday/shift/job/work';
const DAILY = 'a/per/each/every day/morning/evening/night/week';

/** What one is paid for; who flies for work works elsewhere. */
const WORKING =
  'run/do/manage/handle/lead/sell/make/build/design/write/edit/teach/cook/clean/fix/code/oversee/coordinate/organise/organize/bake/work';
const provided = (what: string): string =>
  `i/we am/are with % for ${what} | i/we am/are with % for my/our/the ${what}`;

export const PLAIN_FRAMES: readonly Frame[] = [
  frame(
    'start of work',
    `my ${START} starts/begins at % | my working/work day starts/begins at % | i get to work at % | ` +
      'my start time is %',
    { of: 'time' },
  ),
  frame(
    'start of work',
    'my start time changed/moved/went from @ to % | my start time changed/moved/went to %',
    { of: 'time', isChange: true },
  ),
  frame(
    'start of school',
    "school starts/begins at % | the/my/our kids'/kids/children's school starts/begins at % | the school day starts/begins at % | " +
      'my/our kids/children start/begin school at % | my/our kids/children have to be at/in school by/at %',
    { of: 'time' },
  ),
  frame(
    'start of school',
    'the start of school moved/changed from @ to % | the start of school moved/changed to % | the school moved/changed its/the start to %',
    { of: 'time', isChange: true },
  ),
  frame(
    'rent',
    `i/we pay % ${DAILY.replace('week', 'week/month')} for my/our/the flat/apartment/room/house/place/studio | ` +
      'i/we pay % for my/our/the flat/apartment/room/house/place/studio | the/my/our flat/apartment/room/house/place/studio costs me/us %',
    { of: 'number' },
  ),
  frame('M', 'i/we changed/switched/moved/went to % a/my/our new W', {
    of: 'name',
    isChange: true,
  }),
  frame(
    'employer',
    `for work i ${WORKING} @ at/for % | for a living i ${WORKING} @ at/for % | for work i ${WORKING} at/for %`,
    { of: 'name' },
  ),
  frame('bank', 'i/we am/are with/at % for banking', { of: 'name' }),
  frame('internet provider', provided('internet/broadband/wifi'), { of: 'name' }),
  frame('electricity supplier', provided('electricity/power/energy'), { of: 'name' }),
  frame('M dose', '@ put/started me on % of M', { of: 'dose', isRestated: true }),
  frame('M', '@ that is % he/she is my/our M', { of: 'name', isSoft: true }),
  frame('deploy day', 'i/we deploy on %', { of: 'day' }),
  frame('release day', 'i/we release/ship on %', { of: 'day' }),
  frame(
    'instrument',
    'i play % in a/an/my/our/the band/orchestra/ensemble | i practise/practice the %',
    {
      of: 'instrument',
      isSoft: true,
    },
  ),
];
