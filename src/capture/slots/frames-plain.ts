/** More frames, as data: states of everyday life that are told by what one does. */
import { type Frame, frame } from './frame.ts';

const START = 'workday/shift/job/work';
const DAILY = 'a/per/each/every day/morning/evening/night/week';

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
