/** A floor that no score reaches: the layer searches, and never serves. */
import { layerKind } from '../../layers/index.ts';
import type { IntentSettings, LayerSettings } from '../../model/manifest.ts';
import type { Path } from '../reporter.ts';
import type { RawSpec } from '../wire-manifest.ts';
import { highestScore } from './highest-score.ts';
import type { LintReport, LintRule, LintSubject } from './rule.ts';
import { absentSignals } from './signals-of-layer.ts';

export const floorTooHigh: LintRule = ({ manifest, spec }, report) => {
  if (manifest.bypass.has('score')) return;
  const byPlace = new Map<string, LintReport>();
  for (const layer of manifest.layers.filter(({ kind }) => layerKind(kind).isScored)) {
    for (const intent of Object.values(manifest.intents).filter(({ layers }) =>
      layers.includes(layer.name),
    )) {
      const finding = judge(layer, intent, { manifest, spec });
      const place = JSON.stringify(finding?.at);
      if (finding && !byPlace.has(place)) byPlace.set(place, finding);
    }
  }
  for (const finding of byPlace.values()) report(finding);
};

function judge(
  layer: LayerSettings,
  intent: IntentSettings,
  { manifest, spec }: Pick<LintSubject, 'manifest' | 'spec'>,
): LintReport | undefined {
  const { formula, beta, floor: layerFloor } = layer.scoring;
  const floor = intent.floor ?? layerFloor;
  const absent = Object.fromEntries(
    absentSignals(layer, manifest).flatMap(({ names }) => names.map((name) => [name, 0])),
  );
  const highest = highestScore(formula, {
    fixed: { ...absent, beta, lambda: intent.lambda },
    enough: floor,
  });
  if (highest > 0 && highest >= floor) return undefined;
  // Rounded down, so that the floor that is proposed is reached.
  const shownHighest = Math.floor(highest * 1e4) / 1e4;
  return {
    code: 'MANIFEST.FLOOR_TOO_HIGH',
    at: placeOf(layer, intent, spec),
    message:
      `With \`${intent.name}\`, \`${formula.text}\` scores at most \`${shownHighest}\` in ` +
      `\`${layer.name}\`; ` +
      `${highest > 0 ? `its floor is \`${floor}\`` : 'only scores over 0 are served'}.`,
    fix:
      highest > 0
        ? `Lower the floor to at most ${shownHighest}, or change the formula.`
        : 'Change the formula: it must be able to exceed 0.',
  };
}

/** Where the floor is written; where none is, the formula. */
function placeOf({ name }: LayerSettings, intent: IntentSettings, spec: RawSpec): Path {
  const raw = spec.layers?.[name];
  const own = typeof raw === 'object' && raw !== null ? raw.scoring : undefined;
  if (intent.floor !== null) return ['spec', 'intents', intent.name, 'floor'];
  if (own?.floor !== undefined) return ['spec', 'layers', name, 'scoring', 'floor'];
  if (spec.scoring?.floor !== undefined) return ['spec', 'scoring', 'floor'];
  return own?.formula === undefined
    ? ['spec', 'scoring', 'formula']
    : ['spec', 'layers', name, 'scoring', 'formula'];
}
