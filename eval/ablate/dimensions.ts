/** What an ablation changes, one thing at a time. */
import type { Variant } from '../run/manifest-variant.ts';

/** One change of one dimension. */
export interface Ablation extends Variant {
  /** `weight of window`, `floor`, `fusion`, … */
  readonly dimension: string;
  /** In words: `0`, `dense alone`. */
  readonly change: string;
}

type Change = readonly [change: string, changes: Readonly<Record<string, unknown>>];

/** Of all rows alike, whatever they are. */
const fused = (dense: number, lexical: number): Change[1] => ({
  'spec.scoring.fusion': { dense, lexical },
  'spec.scoring.document_fusion': { dense, lexical },
});

const DIMENSIONS: Readonly<Record<string, readonly Change[]>> = {
  embedder: [['off', { 'spec.bypass': ['cache', 'remember', 'enrich'] }]],
  fusion: [
    ['words alone', fused(0, 1)],
    ['vectors alone', fused(1, 0)],
    ['0.25 dense', fused(0.25, 0.75)],
    ['0.5 dense', fused(0.5, 0.5)],
  ],
  diversity: [
    ['MMR 0.5', { 'spec.scoring.mmr_lambda': 0.5 }],
    ['MMR 0.8', { 'spec.scoring.mmr_lambda': 0.8 }],
  ],
  floor: [0.1, 0.2, 0.3, 0.4].map(
    (floor): Change => [String(floor), { 'spec.scoring.floor': floor }],
  ),
  preset: [
    ['governed', { 'spec.scoring.preset': 'governed', 'spec.scoring.formula': null }],
    ['archival', { 'spec.scoring.preset': 'archival', 'spec.scoring.formula': null }],
    ['conversation', { 'spec.scoring.preset': 'conversation', 'spec.scoring.formula': null }],
  ],
};

/** Changes of a layer's own keys. */
const layerDimensions = (layer: string): Readonly<Record<string, readonly Change[]>> => ({
  overfetch: [1, 2, 6].map(
    (overfetch): Change => [String(overfetch), { [`spec.layers.${layer}.overfetch`]: overfetch }],
  ),
  neighbours: [
    ['off', { [`spec.layers.${layer}.neighbours`]: 0 }],
    ['1', { [`spec.layers.${layer}.neighbours`]: 1 }],
    ['3', { [`spec.layers.${layer}.neighbours`]: 3 }],
  ],
});

/** A weighted term: `0.35 * window`, `- 0.16*question`. */
const TERM = /(\d*\.?\d+)\s*\*\s*([A-Za-z_]\w*)/g;

/**
 * Each weighted signal of a formula switched off in turn. A formula without weights has none to
 * switch off.
 */
export function weightAblations(formula: string): readonly Omit<Ablation, 'label'>[] {
  return [...formula.matchAll(TERM)].map((match) => {
    const [term, weight = '', name = ''] = match;
    const without = `${formula.slice(0, match.index)}0*${name}${formula.slice(match.index + term.length)}`;
    return {
      dimension: `weight of ${name}`,
      change: `${weight} → 0`,
      changes: { 'spec.scoring.formula': without, 'spec.scoring.preset': null },
    };
  });
}

/**
 * All ablations of a layer, those of `only` alone where it names any: a dimension, or `weights`.
 */
export function ablationsOf(
  formula: string,
  layer: string,
  only: readonly string[] = [],
): readonly Ablation[] {
  const fixed = Object.entries({ ...DIMENSIONS, ...layerDimensions(layer) }).flatMap(
    ([dimension, changes]) =>
      changes.map(([change, values]) => ({ dimension, change, changes: values })),
  );
  const all = [...weightAblations(formula), ...fixed];
  const isWanted = (dimension: string): boolean =>
    only.length === 0 ||
    only.includes(dimension) ||
    (only.includes('weights') && dimension.startsWith('weight of '));
  return all
    .filter(({ dimension }) => isWanted(dimension))
    .map((ablation, index) => ({ ...ablation, label: `a${index + 1}` }));
}

export const DIMENSION_NAMES: readonly string[] = [
  'weights',
  ...Object.keys(DIMENSIONS),
  ...Object.keys(layerDimensions('')),
];
