import { expect, it } from 'vitest';
import { withBlockMinimums } from '../../src/compose/block-minimums.ts';
import { parseManifest } from '../../src/manifest/parse.ts';

const LAYERS =
  'project: true, index: true, task: true, recent: true, open_set: true, semantic: true';

function minimums(spec: string, model: string | null = null, total?: number) {
  const text = `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: thread }\nspec: ${spec}\n`;
  const { manifest, findings } = parseManifest(text, { path: 'm.yaml' });
  if (!manifest) throw new Error(JSON.stringify(findings));
  const named = { model, name: manifest.model.name };
  const layers = withBlockMinimums(manifest.layers, named, total ?? manifest.budget.totalTokens);
  return Object.fromEntries(
    layers.filter(({ minTokens }) => minTokens > 0).map(({ name, minTokens }) => [name, minTokens]),
  );
}

it('shares the blocks of a window preset among their layers', () => {
  expect(minimums(`{ model: window_8k, layers: { ${LAYERS} } }`)).toEqual({
    ...{ project: 500, index: 500, task: 250, pinned: 250, recent: 1000 },
    ...{ open_set: 1000, semantic: 1000 },
  });
  expect(minimums(`{ layers: { ${LAYERS} } }`)).toEqual({});
  expect(minimums(`{ layers: { recent: true } }`, 'window_128k')).toMatchObject({ recent: 1000 });
});

it('leaves what the manifest keeps, and shrinks with the budget', () => {
  const kept = 'budget: { min_per_layer: { open_set: 1500 }, max_per_layer: { index: 100 } }';
  expect(minimums(`{ model: window_8k, layers: { ${LAYERS} }, ${kept} }`)).toMatchObject({
    ...{ open_set: 1500, semantic: 500, index: 100, project: 500 },
  });
  const half = minimums(`{ model: window_8k, layers: { ${LAYERS} } }`, null, 2500);
  expect(half).toMatchObject({ project: 250, recent: 500, semantic: 500 });
  const full = 'budget: { min_per_layer: { recent: 4500 } }';
  const rest = minimums(`{ model: window_8k, layers: { ${LAYERS} }, ${full} }`);
  expect(Object.values(rest).reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(5000);
});
