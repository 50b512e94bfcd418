/**
 * Texts of the manifest that are longer than the budget lets them be, counted by the real
 * tokenizer.
 */
import { authoredText } from '../../layers/authored-text.ts';
import { layerKind } from '../../layers/index.ts';
import type { LayerSettings, Manifest } from '../../model/manifest.ts';
import type { Path } from '../reporter.ts';
import type { RawSpec } from '../wire-manifest.ts';
import type { LintRule, LintSubject } from './rule.ts';

/** The least that the layer's own words can take: placeholders empty, no tags around them. */
const leastTokens = (layer: LayerSettings, countTokens: LintSubject['countTokens']): number =>
  countTokens(authoredText(layer).replace(/\{\{[^{}]*\}\}/g, ''));

/** Where the words stand; those that are built in stand nowhere, so the budget is named. */
function placeOf({ name }: LayerSettings, spec: RawSpec): Path {
  const written = spec.layers?.[name];
  if (typeof written !== 'object' || written === null) return ['spec', 'budget', 'total_tokens'];
  return [
    'spec',
    'layers',
    name,
    ...(written.text !== undefined ? ['text'] : written.file !== undefined ? ['file'] : []),
  ];
}

export const staticText: LintRule = ({ manifest, spec, countTokens }, report) => {
  const { totalTokens } = manifest.budget;
  const texts = manifest.layers
    .map((layer) => ({
      layer,
      tokens: leastTokens(layer, countTokens),
      limit: Math.min(layer.maxTokens ?? totalTokens, totalTokens),
    }))
    .filter(({ tokens }) => tokens > 0);
  const fixed = texts.filter(({ layer }) => layerKind(layer.kind).cut === 'never');
  for (const { layer, tokens, limit } of texts) {
    if (tokens <= limit) continue;
    const isFixed = layerKind(layer.kind).cut === 'never';
    report({
      code: isFixed ? 'BUDGET.STATIC_TOO_LONG' : 'BUDGET.ALWAYS_CUT',
      at: placeOf(layer, spec),
      message:
        `The text of \`${layer.name}\` takes at least \`${tokens}\` tokens of ` +
        `\`${manifest.model.name}\`; the layer may take \`${limit}\`.`,
      fix: isFixed
        ? 'It is never cut, so every call fails: shorten it, or raise ' +
          `${limitName(layer, limit)} over ${tokens}.`
        : `Its end is cut off in every call: shorten it, or raise ${limitName(layer, limit)} ` +
          `over ${tokens}.`,
    });
  }
  const sum = fixed.reduce((total, { tokens }) => total + tokens, 0);
  if (fixed.some(({ tokens, limit }) => tokens > limit)) return;
  if (sum > totalTokens) {
    report({
      code: 'BUDGET.STATIC_TOO_LONG',
      at: ['spec', 'budget', 'total_tokens'],
      message:
        `${namesOf(fixed)} take at least \`${sum}\` tokens together and are never cut; the ` +
        `total is \`${totalTokens}\`.`,
      fix: `Shorten them, or raise budget.total_tokens over ${sum}.`,
    });
    return;
  }
  const crowded = mostCrowded(manifest);
  if (sum === 0 || sum + crowded.minimums <= totalTokens) return;
  report({
    code: 'BUDGET.NO_ROOM',
    at: ['spec', 'budget', 'min_per_layer'],
    on: 'key',
    message:
      `${namesOf(fixed)} take at least \`${sum}\` tokens; with the minimums of ` +
      `\`${crowded.intent}\`, \`${crowded.minimums}\`, that is over the total of ` +
      `\`${totalTokens}\`.`,
    fix:
      `Lower the minimums to at most ${totalTokens - sum} together, shorten the texts, or ` +
      'raise budget.total_tokens.',
  });
};

const limitName = (layer: LayerSettings, limit: number): string =>
  layer.maxTokens === limit ? `the most that \`${layer.name}\` may take` : 'budget.total_tokens';

const namesOf = (texts: readonly { readonly layer: LayerSettings }[]): string =>
  texts.map(({ layer }) => `\`${layer.name}\``).join(', ');

/**
 * The intent whose layers have the largest minimums together; those that are never cut are counted
 * by their texts.
 */
function mostCrowded({ intents, layers }: Manifest): {
  readonly intent: string;
  readonly minimums: number;
} {
  const candidates = Object.values(intents).map(({ name, layers: fired }) => ({
    intent: name,
    minimums: layers
      .filter((layer) => fired.includes(layer.name) && layerKind(layer.kind).cut !== 'never')
      .reduce((total, layer) => total + layer.minTokens, 0),
  }));
  return candidates.reduce((most, one) => (one.minimums > most.minimums ? one : most), {
    intent: '',
    minimums: 0,
  });
}
