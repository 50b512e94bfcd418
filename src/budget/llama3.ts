/**
 * The vocabulary of Llama 3, from the optional package `llama3-tokenizer-js` (13 MB). Without it
 * texts for these models are counted conservatively, and that is said.
 */
import type { Llama3Tokenizer } from 'llama3-tokenizer-js';
import { type ByteVocabulary, byteVocabulary } from './vocabulary.ts';

/** As Meta publishes it; what it says of case in one place is written out for Node 20. */
const LLAMA3_PIECES =
  /'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;
const LLAMA3_PACKAGE = 'llama3-tokenizer-js';
/** Tokens above are controls, which no plain text is. */
const LLAMA3_TOKENS = 128_000;

/**
 * null = the optional package is not installed. Its name is a parameter, so that a bundler does not
 * look for it.
 */
export async function loadLlama3(name: string = LLAMA3_PACKAGE): Promise<ByteVocabulary | null> {
  const module = await import(name).catch(() => null);
  if (module === null) return null;
  const { vocabById }: Pick<Llama3Tokenizer, 'vocabById'> = module.default;
  const byteOf = new Map(printedBytes().map((printed, byte) => [printed, byte]));
  const ranks = new Map<string, number>();
  for (const [rank, printed] of vocabById.slice(0, LLAMA3_TOKENS).entries()) {
    const bytes = Array.from(printed, (character) => byteOf.get(character) ?? 0);
    ranks.set(String.fromCharCode(...bytes), rank);
  }
  return byteVocabulary(ranks, LLAMA3_PIECES);
}

/** How byte-level vocabularies print each byte: itself, or the next free character above 255. */
function printedBytes(): readonly string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrinted = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCharCode(isPrinted ? byte : next++);
  });
}
