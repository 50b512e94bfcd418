/** Look-ups of phrases in a sentence: linear, whatever the text. */

/** ` i don't like tea `, as of a sentence. */
interface Plain {
  readonly plain: string;
}

/** Whether the words of the phrase stand in it. */
export const has = ({ plain }: Plain, phrase: string): boolean => plain.includes(` ${phrase} `);
export function hasAny(sentence: Plain, phrases: readonly string[]): boolean {
  // A list that stands where it is asked of is another one each time.
  if (phrases.length <= FEW) return phrases.some((phrase) => has(sentence, phrase));
  const { plain } = sentence;
  for (const phrase of padded(phrases)) if (plain.includes(phrase)) return true;
  return false;
}
const FEW = 8;

/** The longest of the phrases that it begins with. */
export function beginning({ plain }: Plain, phrases: readonly string[]): string | null {
  let found: string | null = null;
  for (const phrase of phrases)
    if (phrase.length > (found?.length ?? -1) && beginsWith(plain, phrase)) found = phrase;
  return found;
}
/** ` word word `: nothing is made of the phrase to look. */
const beginsWith = (plain: string, phrase: string): boolean =>
  plain.startsWith(phrase, 1) && plain.charAt(0) === ' ' && plain.charAt(phrase.length + 1) === ' ';
export const begins = (sentence: Plain, phrases: readonly string[]): boolean =>
  beginning(sentence, phrases) !== null;

/** ` word word `, as in the plain text of a sentence: a list of rules is made so once. */
const paddedLists = new WeakMap<readonly string[], readonly string[]>();
function padded(phrases: readonly string[]): readonly string[] {
  const known = paddedLists.get(phrases);
  if (known) return known;
  const made = phrases.map((phrase) => ` ${phrase} `);
  paddedLists.set(phrases, made);
  return made;
}
