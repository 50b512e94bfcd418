/**
 * Tokens of a text, roughly: four ASCII characters or one other character each. It steers what is
 * read and where a document is cut; budgets count exactly.
 */
export const roughTokens = (text: string): number => Math.ceil(tokenWeight(text));

/** With what an item costs beside its text. */
export const roughItemTokens = (text: string): number => roughTokens(text) + FRAME_TOKENS;
const FRAME_TOKENS = 6;

/** The same before it is rounded, for sums over lines. */
export function tokenWeight(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) < 128) ascii += 1;
    else other += 1;
  }
  return ascii / 4 + other;
}
