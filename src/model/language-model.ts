/** Which tokenizer and window a model name stands for. Names only: no provider is asked. */
import type { Encoding } from './manifest.ts';

export interface ModelFacts {
  readonly encoding: Encoding;
  readonly windowTokens: number | null;
}

/** Longest prefix wins. Where a vendor publishes no tokenizer that runs offline, the count is conservative and says so. */
const MODELS: readonly (readonly [prefix: string, facts: ModelFacts])[] = [
  ['window_4k', { encoding: 'o200k_base', windowTokens: 4096 }],
  ['window_8k', { encoding: 'o200k_base', windowTokens: 8192 }],
  ['window_128k', { encoding: 'o200k_base', windowTokens: 128_000 }],
  ['gpt-3.5-turbo', { encoding: 'cl100k_base', windowTokens: 16_385 }],
  ['gpt-4-turbo', { encoding: 'cl100k_base', windowTokens: 128_000 }],
  ['gpt-4-32k', { encoding: 'cl100k_base', windowTokens: 32_768 }],
  ['gpt-4', { encoding: 'cl100k_base', windowTokens: 8192 }],
  ['gpt-4o', { encoding: 'o200k_base', windowTokens: 128_000 }],
  ['gpt-4.1', { encoding: 'o200k_base', windowTokens: 1_047_576 }],
  ['gpt-5', { encoding: 'o200k_base', windowTokens: 400_000 }],
  ['o1', { encoding: 'o200k_base', windowTokens: 200_000 }],
  ['o3', { encoding: 'o200k_base', windowTokens: 200_000 }],
  ['o4', { encoding: 'o200k_base', windowTokens: 200_000 }],
  ['claude', { encoding: 'conservative', windowTokens: 200_000 }],
  ['gemini', { encoding: 'conservative', windowTokens: 1_048_576 }],
  ['llama', { encoding: 'conservative', windowTokens: 128_000 }],
  ['mistral', { encoding: 'conservative', windowTokens: 128_000 }],
  ['deepseek', { encoding: 'conservative', windowTokens: 128_000 }],
  ['qwen', { encoding: 'conservative', windowTokens: 128_000 }],
];

/** An unknown name is counted conservatively and has no known window. */
export function modelFacts(name: string): ModelFacts {
  const known = MODELS.filter(([prefix]) => name.startsWith(prefix)).sort(([a], [b]) => b.length - a.length)[0];
  return known?.[1] ?? { encoding: 'conservative', windowTokens: null };
}
export const DEFAULT_MODEL = 'gpt-4o';
