/**
 * Tokens of a text, roughly: four ASCII characters or one other character each. It steers what is
 * read and where a document is cut; budgets count exactly.
 */
export function roughTokens(text: string): number {
  let ascii = 0;
  let other = 0;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) < 128) ascii += 1;
    else other += 1;
  }
  return Math.ceil(ascii / 4 + other);
}
