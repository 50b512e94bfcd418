/** Which sentences without a word of their speaker may have a slot of an open noun or verb. */
import { MONTH_NAMES } from '../../text/calendar.ts';
import { isKin } from '../voices/people.ts';
import * as frames from './frames.ts';
import { stepsOf } from './match.ts';
import { ANIMALS, EVERYDAY, FUNCTIONAL } from './things.ts';

const MONTHS: ReadonlySet<string> = new Set(MONTH_NAMES);
export const NAMING = /^(?:called|named)$/;
const MAY_BE_FIRST = 6;
/** Without a word of the speaker: `Standup moved to Thursdays`, `the landlord put the rent up`. */
export const mayBeOpen = (words: readonly string[]): boolean =>
  words.some((word) => CHANGING.has(word)) ||
  isKin(words[0] ?? '') ||
  words.includes('deadline') ||
  (words[0] === 'the' && words.slice(2, MAY_BE_FIRST).some((word) => FUNCTIONAL.has(word))) ||
  /^(?:is|starts|begins) at \d/.test(words.slice(1, 4).join(' ')) ||
  words.includes('due') ||
  (words[0] === 'the' && words.some((word) => MONTHS.has(word))) ||
  (/^it(?:'s)?$/.test(words[0] ?? '') && /^(?:not|isn't)$/.test(words[1] ?? '')) ||
  (words[0] === 'it' && words.includes('not')) ||
  (words[0] === 'work' && words.some((word) => /^(?:starts|begins)$/.test(word))) ||
  (words[0] === 'the' && ANIMALS.has(words[1] ?? '') && NAMING.test(words[3] ?? '')) ||
  words.slice(0, MAY_BE_FIRST).some((word) => EVERYDAY.has(word.replace(/'s$/, '')));
const CHANGING: ReadonlySet<string> = new Set([
  ...[...frames.OPEN_FORMS.filter(({ isTelling }) => isTelling).map(({ form }) => form)]
    .concat(frames.SET_FORMS)
    .flatMap((form) => stepsOf(form).flatMap((step) => (typeof step === 'string' ? [] : step)))
    .filter((word) =>
      /(?:ed|went|rose|fell|grew|shrank|gone|cut|set|put|became|up|down)$/.test(word),
    ),
]);
