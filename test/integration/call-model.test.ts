/** The model that a call names: what is not known of it, or is smaller than planned, is said. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, SEED_MANIFEST } from '../support/engines.ts';
import { REFERENCES } from '../support/reference-tokenizers.ts';

let engine: ContextEngine;
let scope: string;
beforeAll(async () => {
  engine = await openEngine({ manifests: SEED_MANIFEST });
  ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' }));
});
afterAll(() => engine.close());

const warned = async (model: string): Promise<readonly (string | undefined)[]> => {
  const { warnings } = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: '',
    permission_profile: LOCAL_PROFILE,
    model,
  });
  return warnings
    .filter(({ code }) => code.startsWith('BUDGET.'))
    .map(({ code, message }) => `${code} ${/`(.+?)`/.exec(message)?.[1]}`);
};

it('warns of a name that is not known', async () => {
  expect(await warned('gpt-99')).toEqual(['BUDGET.UNKNOWN_MODEL gpt-99']);
  expect(await warned('my-own')).toEqual(['BUDGET.UNKNOWN_MODEL my-own']);
});

it('warns of a window that is smaller than planned, and of nothing else', async () => {
  expect(await warned('window_4k')).toEqual(['BUDGET.SMALLER_WINDOW window_4k']);
  for (const model of [
    'gpt-4o',
    'window_128k',
    'openai/GPT-4.1',
    'claude-sonnet-4',
    'gemini-2.5-pro',
  ])
    expect(await warned(model)).toEqual([]);
});

it('counts as the model does, for whom the tokenizer is known', async () => {
  for (const [model, encoding] of [
    ['gemini-2.5-pro', 'gemma3'],
    ['llama-2-7b', 'llama2'],
    ['mixtral-8x7b', 'mistral'],
    ['mistral-nemo', 'tekken'],
  ] as const) {
    const { text, tokens } = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: '',
      permission_profile: LOCAL_PROFILE,
      model,
    });
    expect(tokens).toMatchObject({ encoding, exact: true, used: REFERENCES[encoding](text) });
    expect(tokens.used).toBeLessThanOrEqual(tokens.budget);
  }
});
