/**
 * Words of a text, for what compares texts without a search engine: tags in a query, near
 * duplicates.
 */

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Lower-case runs of letters and digits. `budget-plan` and `Budget plan` are the same two words.
 */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];

/**
 * The words with a space on either side of each, so that a phrase can be looked up with `includes`.
 */
export const spaced = (text: string): string => ` ${wordsOf(text).join(' ')} `;
