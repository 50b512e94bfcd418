/** Numbers of the scoring that no formula reads. */
import { layerKind } from '../../layers/index.ts';
import type { LayerSettings } from '../../model/manifest.ts';
import type { FormulaPresetName } from '../formula-presets.ts';
import type { Path } from '../reporter.ts';
import type { RawScoring } from '../wire-manifest.ts';
import type { LintRule } from './rule.ts';

/** Setting -> the name through which a formula feels it. */
const READ_AS = {
  beta: 'beta',
  lambda_by_intent: 'lambda',
  fusion: 'sim',
  document_fusion: 'sim',
  recency_half_life_hours: 'recency',
  importance_half_life_days: 'importance',
  importance_half_lives: 'importance',
  importance_floor: 'importance',
  frequency_cap: 'frequency',
} as const satisfies Partial<Record<keyof RawScoring, string>>;
const SETTINGS = Object.keys(READ_AS) as readonly (keyof typeof READ_AS)[];

/** Setting -> the preset whose formula is made with it. */
const OF_PRESET = {
  weights: 'archival',
  conversation_weights: 'conversation',
  absorbed_factor: 'class_aware',
  absorbed_cap: 'class_aware',
  replaced_factor: 'class_aware',
} as const satisfies Partial<Record<keyof RawScoring, FormulaPresetName>>;

export const unusedSetting: LintRule = ({ manifest, spec }, report) => {
  const scored = manifest.layers.filter((layer) => layerKind(layer.kind).isScored);
  const isBypassed = manifest.bypass.has('score');
  const check = (
    raw: RawScoring | undefined,
    at: Path,
    readers: readonly LayerSettings[],
  ): void => {
    if (raw === undefined || readers.length === 0) return;
    if (isBypassed && Object.keys(raw).length > 0) {
      report({
        code: 'MANIFEST.UNUSED_SETTING',
        at,
        on: 'key',
        message: '`scoring` is never read: `bypass` leaves the score out.',
        fix: 'Remove `score` from bypass, or remove this.',
      });
      return;
    }
    for (const key of SETTINGS) {
      const name = READ_AS[key];
      if (
        raw[key] === undefined ||
        readers.some(({ scoring }) => scoring.formula.names.includes(name))
      )
        continue;
      const formulas = [
        ...new Set(readers.map(({ scoring }) => `\`${scoring.formula.text}\``)),
      ].join(', ');
      report({
        code: 'MANIFEST.UNUSED_SETTING',
        at: [...at, key],
        on: 'key',
        message: `\`${key}\` has no effect: ${formulas} does not use \`${name}\`.`,
        fix: `Remove it, or use \`${name}\` in the formula.`,
      });
    }
    reportOtherPreset(raw, { at, readers, report });
  };
  check(spec.scoring, ['spec', 'scoring'], scored);
  for (const layer of scored)
    check(scoringOf(spec.layers?.[layer.name]), ['spec', 'layers', layer.name, 'scoring'], [layer]);
};

interface Reached {
  readonly at: Path;
  readonly readers: readonly LayerSettings[];
  readonly report: Parameters<LintRule>[1];
}

function reportOtherPreset(raw: RawScoring, { at, readers, report }: Reached): void {
  for (const [key, preset] of Object.entries(OF_PRESET)) {
    const isGiven = raw[key as keyof typeof OF_PRESET] !== undefined;
    if (!isGiven || readers.some(({ scoring }) => scoring.preset === preset)) continue;
    report({
      code: 'MANIFEST.UNUSED_SETTING',
      at: [...at, key],
      on: 'key',
      message: `\`${key}\` has no effect: nothing here is scored by the preset \`${preset}\`.`,
      fix: `Remove it, or set \`preset: ${preset}\`.`,
    });
  }
}

const scoringOf = (
  raw: NonNullable<Parameters<LintRule>[0]['spec']['layers']>[string] | undefined,
): RawScoring | undefined => (typeof raw === 'object' && raw !== null ? raw.scoring : undefined);
