/** A formula that counts on a number which the items of its layer never have. */
import { layerKind } from '../../layers/index.ts';
import type { Path } from '../reporter.ts';
import type { RawScoring, RawSpec } from '../wire-manifest.ts';
import type { LintRule } from './rule.ts';
import { absentSignals } from './signals-of-layer.ts';

export const absentSignal: LintRule = ({ manifest, spec }, report) => {
  if (manifest.bypass.has('score')) return;
  for (const layer of manifest.layers.filter(({ kind }) => layerKind(kind).isScored)) {
    const { at, text } = formulaPlace(layer.name, spec);
    for (const { names, why } of absentSignals(layer, manifest)) {
      const offset = text === undefined ? -1 : text.search(new RegExp(`\\b${names[0]}\\b`));
      const shownNames = names.map((name) => `\`${name}\``).join(', ');
      report({
        code: 'MANIFEST.ABSENT_SIGNAL',
        at,
        ...(offset >= 0 && { offset }),
        message:
          `In \`${layer.name}\`, ${shownNames} of \`${layer.scoring.formula.text}\` ` +
          `${names.length === 1 ? 'is' : 'are'} always 0: ${why}.`,
        fix:
          `Give \`${layer.name}\` a \`scoring\` of its own without ` +
          `${names.length === 1 ? 'it' : 'them'}.`,
      });
    }
  }
};

/** Where the formula of a layer is written: with its text, or where its preset is named. */
function formulaPlace(layer: string, spec: RawSpec): { readonly at: Path; readonly text?: string } {
  const raw = spec.layers?.[layer];
  const own = typeof raw === 'object' && raw !== null ? raw.scoring : undefined;
  const says = (scoring: RawScoring | undefined): boolean =>
    scoring?.formula !== undefined || scoring?.preset !== undefined;
  const [scoring, at]: readonly [RawScoring | undefined, Path] = says(own)
    ? [own, ['spec', 'layers', layer, 'scoring']]
    : [spec.scoring, ['spec', 'scoring']];
  return scoring?.formula === undefined
    ? { at: [...at, 'preset'] }
    : { at: [...at, 'formula'], text: scoring.formula };
}
