/** Words that end like a past and are none. */
const NO_PAST: ReadonlySet<string> = new Set(
  'need feed breed bleed speed heed seed weed exceed proceed succeed bed red shed sled embed wed indeed hundred naked sacred wicked ted fred jed ned'.split(
    ' ',
  ),
);

/** `walked`, not `need`. The word is in lower case. */
export const isPastForm = (word: string): boolean => word.endsWith('ed') && !NO_PAST.has(word);
