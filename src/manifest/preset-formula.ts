/**
 * Formulas of presets from the numbers that a manifest gives. With the default numbers each is the
 * text of its preset (test/unit/preset-formula.test.ts).
 */
import type {
  ArchivalWeights,
  ConversationWeights,
  DocumentFactors,
  ScoringSettings,
} from '../model/manifest.ts';
import { MOST_BOOST } from '../model/signals/class-boost.ts';
import { DEFAULT_SCORING } from './defaults.ts';
import { FORMULA_PRESETS, type FormulaPresetName } from './formula-presets.ts';

export type PresetNumbers = Pick<
  ScoringSettings,
  'weights' | 'governedWeights' | 'conversationWeights' | 'documentFactors'
>;

/** Signals of `conversation` that count against an item. */
export const LOWERING = [
  'question',
  'strangers',
  'unseen',
  'unnamed',
] as const satisfies readonly (keyof ConversationWeights)[];

export const presetText = (preset: FormulaPresetName, numbers: PresetNumbers): string =>
  TEXTS[preset](numbers);

/** The weights of the seed give its text as it stands, 0.20 and not 0.2. */
function archivalText({ similarity, recency, importance, frequency }: ArchivalWeights): string {
  const { similarity: s, recency: r, importance: i, frequency: f } = DEFAULT_SCORING.weights;
  if (similarity === s && recency === r && importance === i && frequency === f)
    return FORMULA_PRESETS.archival.formula;
  return (
    `(${decimal(similarity)}*sim + clamp(2*sim, 0, 1) * (${decimal(recency)}*recency + ` +
    `${decimal(importance)}*importance + ${decimal(frequency)}*frequency)) * stale`
  );
}

const governedText = ({ latest }: ScoringSettings['governedWeights']): string =>
  `sim * pow(R, lambda) * (1 + beta * U) * (1 + ${decimal(latest)}*latest)`;

/** `absorbed` and `replaced` are 0 or 1, so each factor is 1 or what the settings say. */
const documentText = ({ absorbed, absorbedCap, replaced }: DocumentFactors): string =>
  `min(clamp(sim * class_boost, 0, ${MOST_BOOST}) * (1 - ${decimal(1 - absorbed)}*absorbed), ` +
  `${MOST_BOOST} - ${decimal(MOST_BOOST - absorbedCap)}*absorbed) * ` +
  `(1 - ${decimal(1 - replaced)}*replaced)`;

const conversationText = (weights: ConversationWeights): string =>
  (Object.entries(weights) as [keyof ConversationWeights, number][])
    .map(([name, weight], place) => {
      const sign = isLowering(name) ? '- ' : place === 0 ? '' : '+ ';
      return `${sign}${weight === 1 ? '' : `${decimal(weight)}*`}${name}`;
    })
    .join(' ');

const isLowering = (name: string): boolean => (LOWERING as readonly string[]).includes(name);

/** Six decimals: numbers of formulas have no exponents. */
export const decimal = (value: number): string => String(Math.round(value * 1e6) / 1e6);

const TEXTS: Readonly<Record<FormulaPresetName, (numbers: PresetNumbers) => string>> = {
  governed: ({ governedWeights }) => governedText(governedWeights),
  archival: ({ weights }) => archivalText(weights),
  class_aware: ({ documentFactors }) => documentText(documentFactors),
  conversation: ({ conversationWeights }) => conversationText(conversationWeights),
};
