import { describe, expect, it } from 'vitest';
import { callBudget, withShare } from '../../src/compose/call-budget.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { modelFacts } from '../../src/model/language-model.ts';
import type { Manifest } from '../../src/model/manifest.ts';

function manifest(spec: string): Manifest {
  const text = `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: thread }\nspec: ${spec}\n`;
  const parsed = parseManifest(text, { path: 'm.yaml' });
  if (!parsed.manifest) throw new Error(JSON.stringify(parsed.findings));
  return parsed.manifest;
}

const EIGHT =
  '{ model: window_8k, layers: { recent: {} }, budget: { min_per_layer: { recent: 1000 }, max_per_layer: { recent: 3000 } } }';

describe('the budget of a call', () => {
  it('is the manifest’s where the call names no model', () => {
    expect(callBudget(manifest(EIGHT), null)).toEqual({
      totalTokens: 5000,
      reservedTokens: 3192,
      encoding: 'o200k_base',
      share: 1,
    });
  });

  it('keeps the manifest’s numbers in a larger window, and counts as the model does', () => {
    expect(callBudget(manifest(EIGHT), 'claude-sonnet-4-5')).toEqual({
      totalTokens: 5000,
      reservedTokens: 3192,
      encoding: 'conservative',
      share: 1,
    });
  });

  it('shrinks every part in a smaller window, never over it', () => {
    const { totalTokens, reservedTokens, share } = callBudget(manifest(EIGHT), 'llama-2-7b');
    expect(totalTokens).toBe(2500);
    expect(totalTokens + reservedTokens).toBe(4096);
    expect(share).toBe(0.5);
  });

  it('takes the budget of a preset, smaller or larger', () => {
    expect(callBudget(manifest(EIGHT), 'window_4k')).toMatchObject({
      totalTokens: 2300,
      reservedTokens: 1796,
    });
    expect(callBudget(manifest(EIGHT), 'window_128k')).toMatchObject({
      totalTokens: 16_000,
      share: 1,
    });
  });

  it('shrinks the limits of layers with it', () => {
    const of = manifest(EIGHT);
    const [recent] = of.layers.filter(({ kind }) => kind === 'recent');
    if (!recent) throw new Error('no recent');
    expect(withShare(recent, callBudget(of, 'llama-2-7b'))).toMatchObject({
      minTokens: 500,
      maxTokens: 1500,
    });
  });

  it('is refused where the window leaves nothing for the layers', () => {
    const of = manifest(
      '{ layers: { recent: {} }, budget: { total_tokens: 1, reserve: { query: 10000, response: 10000 } } }',
    );
    expect(() => callBudget(of, 'gpt-4')).toThrow(
      expect.objectContaining({ code: 'BUDGET.INVALID' }),
    );
  });
});

describe('the table of models', () => {
  it.each([
    ['gpt-4', 8192, 'cl100k_base'],
    ['gpt-4-turbo-2024-04-09', 128_000, 'cl100k_base'],
    ['gpt-4-vision-preview', 128_000, 'cl100k_base'],
    ['gpt-3.5-turbo-instruct', 4096, 'cl100k_base'],
    ['gpt-3.5-turbo', 16_385, 'cl100k_base'],
    ['azure/gpt-35-turbo', 16_385, 'cl100k_base'],
    ['gpt-4-1106-preview', 128_000, 'cl100k_base'],
    ['gpt-4.5-preview', 128_000, 'o200k_base'],
    ['gpt-4o-mini', 128_000, 'o200k_base'],
    ['openai/gpt-oss-120b', 131_072, 'o200k_base'],
    ['claude-3-opus', 200_000, 'conservative'],
    ['gemini-2.5-flash', 1_048_576, 'gemma3'],
    ['google/gemini-3-pro-preview', 1_048_576, 'gemma3'],
    ['gemini-3.1-pro-preview', 1_048_576, 'conservative'],
    ['gemini-1.5-pro-002', 2_097_152, 'conservative'],
    ['gemini-flash-latest', 1_048_576, 'conservative'],
    ['google/gemma-3-27b-it', 131_072, 'gemma3'],
    ['gemma-3n-e4b', 32_768, 'conservative'],
    ['meta-llama/Llama-3.3-70B-Instruct', 128_000, 'llama3'],
    ['meta-llama/Meta-Llama-3.1-8B', 128_000, 'llama3'],
    ['llama-3-8b', 8192, 'llama3'],
    ['llama3.2', 128_000, 'llama3'],
    ['llama3:8b', 8192, 'llama3'],
    ['llama2:13b', 4096, 'llama2'],
    ['llama2', 4096, 'llama2'],
    ['codellama/CodeLlama-34b-Instruct-hf', 16_384, 'llama2'],
    ['mistralai/Mistral-7B-Instruct-v0.3', 32_768, 'mistral'],
    ['open-mixtral-8x22b', 65_536, 'mistral'],
    ['mistral.mistral-large-2407-v1:0', 128_000, 'mistral'],
    ['ministral-8b-latest', 128_000, 'conservative'],
    ['ministral-8b-2410', 128_000, 'tekken'],
    ['mistral-large-latest', 128_000, 'conservative'],
    ['open-mistral-nemo-2407', 128_000, 'tekken'],
    ['mistral-nemo:12b', 128_000, 'tekken'],
    ['openai:gpt-4o-mini', 128_000, 'o200k_base'],
    ['ft:gpt-4o-mini-2024-07-18:acme::a1b2', 128_000, 'o200k_base'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 200_000, 'conservative'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 200_000, 'conservative'],
    ['meta.llama3-1-70b-instruct-v1:0', 128_000, 'llama3'],
    ['llama-4-scout', 128_000, 'conservative'],
    ['of-our-own', null, 'conservative'],
  ])('knows %s', (name, windowTokens, encoding) => {
    expect(modelFacts(name)).toEqual({ encoding, windowTokens });
  });
});
