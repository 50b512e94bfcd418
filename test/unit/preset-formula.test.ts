/** Formulas of presets with the numbers of a manifest. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_SCORING } from '../../src/manifest/defaults.ts';
import { FORMULA_PRESET_NAMES, FORMULA_PRESETS } from '../../src/manifest/formula-presets.ts';
import { parseManifest } from '../../src/manifest/parse.ts';
import { presetText } from '../../src/manifest/preset-formula.ts';

function scoringOf(spec: string, layer = 'semantic') {
  const { manifest, findings } = parseManifest(
    `apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: t, version: 1, scope_block_type: t }\nspec: ${spec}\n`,
    { path: 't.yaml' },
  );
  const scoring = manifest?.layers.find(({ name }) => name === layer)?.scoring;
  if (!scoring) throw new Error(JSON.stringify(findings));
  return scoring;
}

describe('the formula of a preset', () => {
  it.each(FORMULA_PRESET_NAMES)('%s is its text with the default numbers', (name) =>
    expect(presetText(name, DEFAULT_SCORING)).toBe(FORMULA_PRESETS[name].formula),
  );

  it('conversation takes the weights that are given', () => {
    const { formula, floorOfBest } = scoringOf(
      '{ layers: { semantic: {} }, scoring: { preset: conversation, conversation_weights: { latest: 0, unseen: 2, window: 1 } } }',
    );
    expect(formula.text).toMatch(/^window \+ 0\.26\*previous/);
    expect(formula.text).toContain('+ 0*latest - 0.9*strangers - 2*unseen');
    expect(floorOfBest).toBe(FORMULA_PRESETS.conversation.floorOfBest);
    expect(formula.evaluate({ window: 1, unseen: 0.25, latest: 1 })).toBeCloseTo(0.5, 12);
  });

  it('conversation takes those of a layer over those of the manifest', () => {
    const { formula } = scoringOf(
      '{ layers: { semantic: { scoring: { conversation_weights: { when: 2 } } } }, scoring: { preset: conversation, conversation_weights: { date: 3, when: 1 } } }',
    );
    expect(formula.text).toContain('3*date + 2*when');
  });

  it('class_aware takes the factors that are given', () => {
    const { formula } = scoringOf(
      '{ layers: { documents: { scoring: { absorbed_factor: 0.8, absorbed_cap: 0.7, replaced_factor: 0.1 } } } }',
      'documents',
    );
    const score = (signals: Readonly<Record<string, number>>): number =>
      formula.evaluate({ sim: 0.8, class_boost: 1, absorbed: 0, replaced: 0, ...signals });
    expect(score({})).toBeCloseTo(0.8, 12);
    expect(score({ absorbed: 1 })).toBeCloseTo(0.64, 12);
    expect(score({ absorbed: 1, class_boost: 3 })).toBeCloseTo(0.7, 12);
    expect(score({ replaced: 1 })).toBeCloseTo(0.08, 12);
  });

  it('of a layer with one of its own stays as it is written', () => {
    const { formula } = scoringOf(
      '{ layers: { semantic: { scoring: { formula: sim } } }, scoring: { conversation_weights: { latest: 9 } } }',
    );
    expect(formula.text).toBe('sim');
  });
});
