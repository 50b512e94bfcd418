/** Whether a verb stands in the past, and whether the day that it names does. */

/** Words that end like a past and are none. */
const NO_PAST: ReadonlySet<string> = new Set(
  'need feed breed bleed speed heed seed weed exceed proceed succeed bed red shed sled embed wed indeed hundred naked sacred wicked ted fred jed ned'.split(
    ' ',
  ),
);

/** `walked`, not `need`. The word is in lower case. */
export const isPastForm = (word: string): boolean => word.endsWith('ed') && !NO_PAST.has(word);

const IRREGULAR =
  /(?:ran|went|met|saw|had|did|was|were|took|got|won|came|gave|made|wrote|bought|told|spoke)$/;
/** Whole words: `plate` has no `ate`; `left` is an adjective as well, and none. */
const MORE_IRREGULAR: ReadonlySet<string> = new Set(
  'ate drank broke sold fell drove flew rode swam slept brought caught taught paid sent spent threw stole began became chose grew lost sang woke overslept forgot built'.split(
    ' ',
  ),
);
/** Also of verbs with a form of their own. */
export const isPast = (word: string): boolean =>
  isPastForm(word) || MORE_IRREGULAR.has(word) || IRREGULAR.test(word);

/** `We decided to meet on`, `I booked a table for`: what was done is past, its day is not. */
const PLANNED =
  /\b(?:decided|agreed|planned|promised|hoped|chose|intended|offered|invited|asked|told|opted|arranged|scheduled|supposed)\b[^.;]{0,25}? to \p{L}/iu;
const FOR_A_DAY = /\b(?:for|by|until|till) $/i;

/** Whether the words before a weekday speak of the one to come, though their verb is past. */
export const isAhead = (before: string): boolean => FOR_A_DAY.test(before) || PLANNED.test(before);
