/**
 * The published vocabularies, read from `gpt-tokenizer` when first asked for: an application loads
 * only the encoding it counts with.
 */
import type { Encoding } from '../model/manifest.ts';
import type { Ranks } from './byte-pairs.ts';

/** An encoding whose tokenizer runs offline. */
export type ExactEncoding = Exclude<Encoding, 'conservative'>;

export interface Vocabulary {
  readonly ranks: Ranks;
  /**
   * Cuts a text into the pieces that are encoded one by one; global, so use it through `matchAll`.
   */
  readonly pieces: RegExp;
}

/** As the package stores a token: its text, or its bytes where they are no UTF-8. */
type StoredToken = string | readonly number[];

/** Reads a vocabulary of OpenAI. */
export async function loadVocabulary(
  encoding: Exclude<ExactEncoding, 'llama3'>,
): Promise<Vocabulary> {
  const { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } = await import(
    'gpt-tokenizer/encodingParams/constants'
  );
  if (encoding === 'cl100k_base') {
    const { default: tokens } = await import('gpt-tokenizer/bpeRanks/cl100k_base');
    return { ranks: toRanks(tokens), pieces: CL100K_TOKEN_SPLIT_REGEX };
  }
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  return { ranks: toRanks(tokens), pieces: O200K_TOKEN_SPLIT_REGEX };
}

function toRanks(tokens: readonly StoredToken[]): Ranks {
  const ranks = new Map<string, number>();
  // forEach leaves out the holes of unused ranks
  tokens.forEach((token, rank) => {
    ranks.set(
      typeof token === 'string' ? toByteString(token) : Buffer.from(token).toString('latin1'),
      rank,
    );
  });
  return ranks;
}

/**
 * A text's UTF-8 bytes, one per character; a lone surrogate becomes U+FFFD, as in every UTF-8
 * encoder.
 */
export function toByteString(text: string): string {
  for (let i = 0; i < text.length; i++)
    if (text.charCodeAt(i) > 127) return Buffer.from(text, 'utf8').toString('latin1');
  return text;
}
