/**
 * Scoring of a manifest and of its layers: a layer's settings lie over the manifest's, the
 * manifest's over the defaults.
 */
import { InternalError } from '../codes/errors.ts';
import type { ArchivalWeights, Formula, ScoringSettings } from '../model/manifest.ts';
import { DEFAULT_SCORING } from './defaults.ts';
import { parseFormula } from './formula.ts';
import { FORMULA_PRESETS, type FormulaPreset } from './formula-presets.ts';
import type { Path, Reporter } from './reporter.ts';
import type { RawScoring } from './wire-manifest.ts';

interface Place {
  readonly at: Path;
  readonly reporter: Reporter;
}

/** The settings of a manifest that says nothing. */
export const defaultScoring = (): ScoringSettings => ({
  preset: 'governed',
  formula: presetFormula(FORMULA_PRESETS.governed.formula),
  ...DEFAULT_SCORING,
});

export function resolveScoring(
  raw: RawScoring | undefined,
  base: ScoringSettings,
  place: Place,
): ScoringSettings {
  if (raw === undefined) return base;
  const fusion = resolveFusion(raw.fusion, base.fusion, place);
  const isFusionGiven = raw.fusion !== undefined && Object.keys(raw.fusion).length > 0;
  return {
    ...base,
    ...resolveFormula(raw, base, place),
    beta: raw.beta ?? base.beta,
    floor: raw.floor ?? floorOfPreset(raw) ?? base.floor,
    ...(raw.floor_of_best !== undefined && { floorOfBest: raw.floor_of_best }),
    fusion,
    documentFusion: isFusionGiven ? fusion : base.documentFusion,
    mmrLambda: raw.mmr_lambda ?? base.mmrLambda,
    recencyHalfLifeHours: raw.recency_half_life_hours ?? base.recencyHalfLifeHours,
    importanceHalfLifeDays: raw.importance_half_life_days ?? base.importanceHalfLifeDays,
    importanceHalfLives: {
      // One number for all is meant for all.
      ...(raw.importance_half_life_days === undefined && base.importanceHalfLives),
      ...raw.importance_half_lives,
    },
    importanceFloor: raw.importance_floor ?? base.importanceFloor,
    frequencyCap: raw.frequency_cap ?? base.frequencyCap,
    weights: { ...base.weights, ...raw.weights },
    classBoosts: {
      lesson: raw.lesson_boost ?? base.classBoosts.lesson,
      process: raw.process_boost ?? base.classBoosts.process,
    },
  };
}

function floorOfPreset({ preset }: RawScoring): number | undefined {
  const found: FormulaPreset | undefined = preset && FORMULA_PRESETS[preset];
  return found?.floor;
}

function resolveFormula(
  raw: RawScoring,
  base: ScoringSettings,
  { at, reporter }: Place,
): Pick<ScoringSettings, 'preset' | 'formula' | 'floorOfBest'> {
  if (raw.formula !== undefined) {
    if (raw.preset !== undefined)
      reporter.report({
        code: 'MANIFEST.INVALID_VALUE',
        at: [...at, 'preset'],
        on: 'key',
        message: `\`preset\` \`${raw.preset}\` and a \`formula\` are both given.`,
        fix: 'Keep one of the two.',
      });
    const result = parseFormula(raw.formula);
    if ('formula' in result) return { preset: 'custom', formula: result.formula, floorOfBest: 0 };
    const { code, offset, message, fix } = result.problem;
    reporter.report({ code, at: [...at, 'formula'], offset, message, fix });
    return base;
  }
  const weights = { ...base.weights, ...raw.weights };
  if (raw.preset === undefined)
    return base.preset === 'archival' && raw.weights !== undefined
      ? { ...base, formula: presetFormula(weighted(weights)) }
      : base;
  const { formula, floorOfBest } = FORMULA_PRESETS[raw.preset];
  const text = raw.preset === 'archival' ? weighted(weights) : formula;
  return { preset: raw.preset, formula: presetFormula(text), floorOfBest };
}

/** The formula of `archival` with other weights; those of the seed give its text as it stands. */
function weighted({ similarity, recency, importance, frequency }: ArchivalWeights): string {
  const { similarity: s, recency: r, importance: i, frequency: f } = DEFAULT_SCORING.weights;
  if (similarity === s && recency === r && importance === i && frequency === f)
    return FORMULA_PRESETS.archival.formula;
  return (
    `(${decimal(similarity)}*sim + clamp(2*sim, 0, 1) * (${decimal(recency)}*recency + ` +
    `${decimal(importance)}*importance + ${decimal(frequency)}*frequency)) * stale`
  );
}

/** Six decimals: numbers of formulas have no exponents. */
const decimal = (value: number): string => String(Math.round(value * 1e6) / 1e6);

/** The formula with what each matching tag adds; one that reads the tags itself stays as it is. */
export function withTagBoost(scoring: ScoringSettings, boost: number): ScoringSettings {
  const { formula } = scoring;
  if (boost === 0 || formula.names.includes('tag_matches')) return scoring;
  const text = `(${formula.text}) * (1 + ${decimal(boost)}*tag_matches)`;
  return { ...scoring, formula: presetFormula(text) };
}

function presetFormula(text: string): Formula {
  const result = parseFormula(text);
  if ('formula' in result) return result.formula;
  throw new InternalError(`A preset's formula does not parse: ${result.problem.message}`);
}

function resolveFusion(
  raw: RawScoring['fusion'],
  base: ScoringSettings['fusion'],
  { at, reporter }: Place,
): ScoringSettings['fusion'] {
  if (raw === undefined || Object.keys(raw).length === 0) return base;
  const words = raw.words ?? 0;
  const rest = 1 - words;
  const share = base.dense + base.lexical > 0 ? base.dense / (base.dense + base.lexical) : 0.5;
  const dense = raw.dense ?? (raw.lexical === undefined ? rest * share : rest - raw.lexical);
  const lexical = raw.lexical ?? rest - dense;
  const total = dense + lexical + words;
  if (Math.abs(total - 1) > 1e-9 || dense < 0 || lexical < 0) {
    const given = (raw.dense ?? 0) + (raw.lexical ?? 0) + words;
    reporter.report({
      code: 'MANIFEST.INVALID_VALUE',
      at: [...at, 'fusion'],
      on: 'key',
      message: `The weights of \`fusion\` sum to \`${Number(given.toFixed(6))}\`.`,
      fix: 'Let them sum to 1, or give one of them.',
    });
    return base;
  }
  return { dense, lexical, words };
}
