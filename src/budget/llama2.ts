/**
 * The vocabulary of Llama 2 and Code Llama, from the optional package `llama-tokenizer-js`
 * (0.7 MB).
 */
import type { LlamaTokenizer } from 'llama-tokenizer-js';
import { BLANKS_AND_WORD, sentencePieceVocabulary } from './sentence-pieces.ts';
import type { Vocabulary } from './vocabulary.ts';

const LLAMA2_PACKAGE = 'llama-tokenizer-js';
/** Tokens before are controls and the bytes. */
const FIRST_MERGED = 259;

/** null = the optional package is not installed. */
export async function loadLlama2(name: string = LLAMA2_PACKAGE): Promise<Vocabulary | null> {
  const module = await import(name).catch(() => null);
  if (module === null) return null;
  const { vocabById }: Pick<LlamaTokenizer, 'vocabById'> = module.default;
  return sentencePieceVocabulary({
    tokens: vocabById.slice(FIRST_MERGED).map((token, index) => [token, index]),
    pieces: BLANKS_AND_WORD,
    prefix: ' ',
  });
}
