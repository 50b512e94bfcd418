/** Which tokenizer and window a model name stands for. Names only: no provider is asked. */
import type { Encoding } from './manifest.ts';

export interface ModelFacts {
  readonly encoding: Encoding;
  readonly windowTokens: number | null;
}

/**
 * Windows as the vendors publish them. The longest prefix wins. OpenAI's models have a tokenizer
 * that runs offline (gpt-oss splits text as o200k_base does); Gemini and Gemma 3, Llama 2 and 3 and
 * Mistral where an optional package is installed. A name that says no version is a moving one, and
 * what follows Gemini 3 has another tokenizer: these and the rest are counted conservatively.
 */
const MODELS: Readonly<Record<string, readonly [encoding: Encoding, windowTokens: number]>> = {
  window_4k: ['o200k_base', 4096],
  window_8k: ['o200k_base', 8192],
  window_128k: ['o200k_base', 128_000],
  'gpt-3.5-turbo': ['cl100k_base', 16_385],
  'gpt-3.5-turbo-instruct': ['cl100k_base', 4096],
  // Azure writes no dot.
  'gpt-35-turbo': ['cl100k_base', 16_385],
  'gpt-35-turbo-instruct': ['cl100k_base', 4096],
  'gpt-4': ['cl100k_base', 8192],
  'gpt-4-32k': ['cl100k_base', 32_768],
  'gpt-4-0125': ['cl100k_base', 128_000],
  'gpt-4-1106': ['cl100k_base', 128_000],
  'gpt-4-vision': ['cl100k_base', 128_000],
  'gpt-4-turbo': ['cl100k_base', 128_000],
  'gpt-4o': ['o200k_base', 128_000],
  'chatgpt-4o': ['o200k_base', 128_000],
  'gpt-4.1': ['o200k_base', 1_047_576],
  'gpt-4.5': ['o200k_base', 128_000],
  'gpt-5': ['o200k_base', 400_000],
  'gpt-oss': ['o200k_base', 131_072],
  o1: ['o200k_base', 200_000],
  'o1-mini': ['o200k_base', 128_000],
  'o1-preview': ['o200k_base', 128_000],
  o3: ['o200k_base', 200_000],
  o4: ['o200k_base', 200_000],
  claude: ['conservative', 200_000],
  'claude-2.0': ['conservative', 100_000],
  'claude-instant': ['conservative', 100_000],
  gemini: ['conservative', 1_048_576],
  'gemini-1.0': ['conservative', 32_768],
  'gemini-1.5-pro': ['conservative', 2_097_152],
  'gemini-2': ['gemma3', 1_048_576],
  'gemini-3-flash': ['gemma3', 1_048_576],
  'gemini-3-pro': ['gemma3', 1_048_576],
  'gemma-3': ['gemma3', 131_072],
  'gemma-3-1b': ['gemma3', 32_768],
  'gemma-3n': ['conservative', 32_768],
  gemma3: ['gemma3', 131_072],
  'gemma3:1b': ['gemma3', 32_768],
  gemma3n: ['conservative', 32_768],
  llama: ['conservative', 128_000],
  'llama-2': ['llama2', 4096],
  llama2: ['llama2', 4096],
  codellama: ['llama2', 16_384],
  'llama-3': ['llama3', 128_000],
  'llama-3-': ['llama3', 8192],
  llama3: ['llama3', 128_000],
  'llama3:': ['llama3', 8192],
  'llama3-': ['llama3', 8192],
  'llama3-1': ['llama3', 128_000],
  'llama3-2': ['llama3', 128_000],
  'llama3-3': ['llama3', 128_000],
  mistral: ['conservative', 128_000],
  'mistral-7b': ['mistral', 32_768],
  mixtral: ['mistral', 32_768],
  'mixtral-8x22b': ['mistral', 65_536],
  'mixtral:8x22b': ['mistral', 65_536],
  'mistral-small-2312': ['mistral', 32_768],
  'mistral-small-2402': ['mistral', 32_768],
  'mistral-medium-2312': ['mistral', 32_768],
  'mistral-large-2402': ['mistral', 32_768],
  'mistral-large-2407': ['mistral', 128_000],
  'mistral-large-2411': ['mistral', 128_000],
  'pixtral-large-2411': ['mistral', 128_000],
  'codestral-2405': ['mistral', 32_768],
  'codestral-22b': ['mistral', 32_768],
  'mistral-nemo': ['tekken', 128_000],
  ministral: ['conservative', 128_000],
  'ministral-8b-2410': ['tekken', 128_000],
  'ministral-8b-instruct-2410': ['tekken', 128_000],
  'pixtral-12b': ['tekken', 128_000],
  deepseek: ['conservative', 128_000],
  qwen: ['conservative', 128_000],
};

export const MODEL_PREFIXES: readonly string[] = Object.keys(MODELS).sort(
  (a, b) => b.length - a.length,
);

/**
 * By the name behind a vendor's path, whatever its case: `meta-llama/Llama-3.3-70B` is a llama, and
 * `Meta-Llama-3.1-8B` another, `open-mixtral-8x7b` a mixtral. So behind what a router or a vendor
 * writes before it: `openai:gpt-4o`, `ft:gpt-4o:acme::1`, `us.anthropic.claude-3-5-sonnet`. An
 * unknown name is counted conservatively and has no known window.
 */
export function modelFacts(name: string): ModelFacts {
  const known = prefixOf(name);
  const [encoding, windowTokens] = (known !== undefined && MODELS[known]) || UNKNOWN;
  return { encoding, windowTokens };
}

export const isKnownModel = (name: string): boolean => prefixOf(name) !== undefined;

function prefixOf(name: string): string | undefined {
  const model = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(BEFORE, '')
    .replace(/^(?:meta|open)-/, '');
  return MODEL_PREFIXES.find((prefix) => model.startsWith(prefix));
}
/** A fine-tune, a router's provider, and a region and vendor as Bedrock writes them. */
const BEFORE = new RegExp(
  '^(?:ft:|(?:openai|azure|anthropic|google|vertex|gemini|mistral|ollama|groq|bedrock|meta|' +
    'together|deepseek|openrouter):|(?:(?:us|eu|apac|global)\\.)?' +
    '(?:anthropic|meta|mistral|deepseek|qwen|openai|google)\\.)+',
);
const UNKNOWN = ['conservative', null] as const;

export const DEFAULT_MODEL = 'gpt-4o';
