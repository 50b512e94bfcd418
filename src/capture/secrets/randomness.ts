/** How much a token looks drawn by chance, and how much like words. */

/** Bits a character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => {
    const share = count / text.length;
    return bits - share * Math.log2(share);
  }, 0);
}

const JOINTS = /[-_.=+/~:]+/;
/** `config`, `TokenBudget`, `serviceV2`, `AMD64`, `v2`, `2026`. */
const WORD = /^(?:(?:[a-z]*(?:[A-Z][a-z]{2,})*|[A-Z]+)(?:[vV]?\d{1,4})?|\d+)$/;
/** `20261128T101500Z` */
const STAMP = /^\d{8}T\d{4,9}Z?$/;
const SHORT = 6;

/** How many characters stand in pieces that are neither words nor numbers. */
export const strangeIn = (token: string): number =>
  token
    .split(JOINTS)
    .filter((piece) => piece.length >= SHORT && !isWordOrNumber(piece))
    .reduce((sum, piece) => sum + piece.length, 0);

const isWordOrNumber = (piece: string): boolean => WORD.test(piece) || STAMP.test(piece);
