/**
 * Scoring of a manifest and of its layers: a layer's settings lie over the manifest's, the
 * manifest's over the defaults.
 */
import { InternalError } from '../codes/errors.ts';
import type { Formula, FusionWeights, LatestSettings, ScoringSettings } from '../model/manifest.ts';
import { DEFAULT_SCORING } from './defaults.ts';
import { parseFormula } from './formula.ts';
import { FORMULA_PRESETS, type FormulaPreset, isFormulaPreset } from './formula-presets.ts';
import { decimal, type PresetNumbers, presetText } from './preset-formula.ts';
import type { Path, Reporter } from './reporter.ts';
import { OVERRIDDEN, type RawFusion, type RawLatest, type RawScoring } from './wire-manifest.ts';

interface Place {
  readonly at: Path;
  readonly reporter: Reporter;
  /** A layer that brings documents: its `fusion` is said of them. */
  readonly holdsDocuments?: boolean;
  /** Of a layer: what the manifest says. A floor that it writes goes before one of a preset. */
  readonly manifest?: RawScoring | undefined;
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
  const { at, reporter, manifest } = place;
  const bestFloor = raw.floor_of_best ?? manifest?.floor_of_best;
  const numbers = presetNumbers(raw, base);
  const isOfDocuments = place.holdsDocuments === true;
  const given = resolveFusion(raw.fusion, isOfDocuments ? base.documentFusion : base.fusion, {
    at: [...at, 'fusion'],
    reporter,
  });
  return {
    ...base,
    ...resolveFormula({ ...raw, numbers }, base, place),
    ...numbers,
    beta: raw.beta ?? base.beta,
    floor: raw.floor ?? manifest?.floor ?? floorOfPreset(raw) ?? base.floor,
    ...(bestFloor !== undefined && { floorOfBest: bestFloor }),
    fusion: isOfDocuments && !isGiven(raw.fusion) ? base.fusion : given,
    documentFusion: resolveFusion(
      raw.document_fusion,
      isOfDocuments ? given : base.documentFusion,
      { at: [...at, 'document_fusion'], reporter },
    ),
    mmrLambda: raw.mmr_lambda ?? base.mmrLambda,
    nearDuplicate: raw.near_duplicate ?? base.nearDuplicate,
    courtesyFloor: raw.courtesy_floor ?? base.courtesyFloor,
    recencyHalfLifeHours: raw.recency_half_life_hours ?? base.recencyHalfLifeHours,
    importanceHalfLifeDays: raw.importance_half_life_days ?? base.importanceHalfLifeDays,
    importanceHalfLives: {
      // One number for all is meant for all.
      ...(raw.importance_half_life_days === undefined && base.importanceHalfLives),
      ...raw.importance_half_lives,
    },
    importanceFloor: raw.importance_floor ?? base.importanceFloor,
    frequencyCap: raw.frequency_cap ?? base.frequencyCap,
    latest: resolveLatest(raw.latest, base.latest),
    stalePenalty: raw.stale_penalty ?? base.stalePenalty,
    staleMinutes: raw.stale_minutes ?? base.staleMinutes,
    rivalShare: raw.rival_share ?? base.rivalShare,
    trust: { ...base.trust, ...raw.trust },
    classBoosts: {
      lesson: raw.lesson_boost ?? base.classBoosts.lesson,
      process: raw.process_boost ?? base.classBoosts.process,
    },
  };
}

const presetNumbers = (raw: RawScoring, base: ScoringSettings): PresetNumbers => ({
  weights: { ...base.weights, ...raw.weights },
  governedWeights: { ...base.governedWeights, ...raw.governed_weights },
  conversationWeights: { ...base.conversationWeights, ...raw.conversation_weights },
  documentFactors: {
    absorbed: raw.absorbed_factor ?? base.documentFactors.absorbed,
    absorbedCap: raw.absorbed_cap ?? base.documentFactors.absorbedCap,
    replaced: raw.replaced_factor ?? base.documentFactors.replaced,
  },
});

const resolveLatest = (raw: RawLatest | undefined, base: LatestSettings): LatestSettings => ({
  perPlace: raw?.per_place ?? base.perPlace,
  byTense: raw?.by_tense ?? base.byTense,
  turns: raw?.turns ?? base.turns,
  turnsByTense: raw?.turns_by_tense ?? base.turnsByTense,
  facts: raw?.facts ?? base.facts,
  factsByTense: raw?.facts_by_tense ?? base.factsByTense,
});

function floorOfPreset({ preset }: RawScoring): number | undefined {
  const found: FormulaPreset | undefined = preset && FORMULA_PRESETS[preset];
  return found?.floor;
}

function resolveFormula(
  raw: RawScoring & { readonly numbers: PresetNumbers },
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
  const preset = raw.preset ?? base.preset;
  if (!isFormulaPreset(preset)) return base;
  const text = presetText(preset, raw.numbers);
  const formula = text === base.formula.text ? base.formula : presetFormula(text);
  if (raw.preset === undefined) return { ...base, formula };
  return { preset, formula, floorOfBest: FORMULA_PRESETS[preset].floorOfBest };
}

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

const isGiven = (raw: RawFusion | undefined): raw is RawFusion =>
  raw !== undefined && (Object.keys(raw).length > 0 || raw[OVERRIDDEN] !== undefined);

function resolveFusion(
  raw: RawFusion | undefined,
  base: FusionWeights,
  place: Place,
): FusionWeights {
  const written = writtenFusion(raw, base, place);
  const set = raw?.[OVERRIDDEN];
  return set === undefined ? written : overriddenFusion(set, written, place);
}

const WEIGHTS = ['dense', 'lexical', 'words'] as const;

/**
 * What overrides do not set keeps its proportion, and all sum to 1: where that cannot be, what they
 * set is scaled.
 */
function overriddenFusion(
  set: NonNullable<RawFusion[typeof OVERRIDDEN]>,
  written: FusionWeights,
  { at, reporter }: Place,
): FusionWeights {
  const sum = WEIGHTS.reduce((total, name) => total + (set[name] ?? 0), 0);
  const open = WEIGHTS.filter((name) => set[name] === undefined);
  const others = open.reduce((total, name) => total + written[name], 0);
  // Weights of 0 have no proportion: as in a manifest, one of the first two implies the other.
  const takers = others > 0 ? open : open.filter((name) => name !== 'words');
  const isScaled = takers.length === 0 ? Math.abs(sum - 1) > 1e-9 : sum > 1 + 1e-9;
  const factor = isScaled && sum > 0 ? 1 / sum : 1;
  const rest = Math.max(0, 1 - sum * factor);
  const weight = (name: (typeof WEIGHTS)[number]): number => {
    const own = set[name];
    if (own !== undefined) return own * factor;
    if (others > 0) return rest * (written[name] / others);
    return takers.includes(name) ? rest / takers.length : 0;
  };
  const all = { dense: weight('dense'), lexical: weight('lexical'), words: weight('words') };
  const found = isScaled && sum === 0 ? written : all;
  const shown = WEIGHTS.map((name) => `\`${name}\` \`${Number(found[name].toFixed(6))}\``);
  if (isScaled)
    reporter.report({
      code: 'CONFIG.OVERRIDE_CLAMPED',
      at,
      on: 'key',
      message:
        `The overrides of \`${at.slice(1).join('.')}\` sum to \`${decimal(sum)}\`; ` +
        `${shown.join(', ')} hold.`,
      fix: 'Let the weights sum to 1, or set fewer of them.',
    });
  return found;
}

function writtenFusion(
  raw: RawFusion | undefined,
  base: FusionWeights,
  { at, reporter }: Place,
): FusionWeights {
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
      at,
      on: 'key',
      message: `The weights of \`${at.at(-1)}\` sum to \`${Number(given.toFixed(6))}\`.`,
      fix: 'Let them sum to 1, or give one of them.',
    });
    return base;
  }
  return { dense, lexical, words };
}
