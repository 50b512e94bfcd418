/** `A K I A` and `p i n`: a word that is spelled with blanks is read as the word. */
const SPACED = /(?<![\p{L}\p{N}'])[\p{L}\p{N}](?: [\p{L}\p{N}]){2,}(?![\p{L}\p{N}'])/gu;

export const withoutBlanks = (text: string): string =>
  text.replaceAll(SPACED, (letters) => letters.replaceAll(' ', ''));
