/** The words that days are named by, with their places. */

export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let from = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const isWord = isPlainLetter(text.charCodeAt(at));
    if (isWord && from === -1) from = at;
    if (!isWord && from !== -1) {
      tokens.push({ word: text.slice(from, at).toLowerCase(), start: from, end: at });
      from = -1;
    }
  }
  return tokens;
}

/** `A` to `Z`, a digit or `-`, by its code; past the end of a text it is none. */
const isPlainLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 45;
