/** JSON Schema (draft-07) of `scoring`, of a manifest and of its layers. */
import type { FusionWeights } from '../model/manifest.ts';
import { LEAST_BOOST, MOST_BOOST } from '../model/signals/class-boost.ts';
import { DEFAULT_SCORING } from './defaults.ts';
import { FORMULA_PRESET_NAMES, FORMULA_PRESETS } from './formula-presets.ts';
import { LOWERING } from './preset-formula.ts';
import { type JsonSchema, number, object, text } from './schema-values.ts';

const LAMBDA = { minimum: 0, maximum: 4 } as const;

const fusionSchema = (description: string, defaults: FusionWeights): JsonSchema =>
  object(description, {
    dense: number([0, 1], 'Weight of the vectors.', defaults.dense),
    lexical: number([0, 1], 'Weight of BM25 over terms.', defaults.lexical),
    words: number([0, 1], 'Weight of the comparison word by word (`maxsim`).', defaults.words),
  });

export const scoringSchema: JsonSchema = object(
  'How candidates are scored. Every number has a range; outside it the manifest is refused.',
  {
    preset: text('A formula that has a name.', {
      type: 'string',
      enum: FORMULA_PRESET_NAMES,
      default: 'governed',
    }),
    formula: text(
      'A formula of your own: `+ - * /`, parentheses, pow, min, max, clamp, numbers and ' +
        'signals such as sim, R, U, recency.',
    ),
    beta: number([0, 10], 'Weight of learned utility.', DEFAULT_SCORING.beta),
    lambda_by_intent: {
      type: 'object',
      description:
        'Weight of forgetting by class (fact, temporal, reasoning) or by the name of an ' +
        'intent. 0 = nothing is forgotten.',
      additionalProperties: { type: 'number', ...LAMBDA },
    },
    floor: number(
      [0, 1],
      'Items that score less are not served. Of `spec.scoring` it is for every layer that says ' +
        'none. Default: that of the preset, ' +
        `${FORMULA_PRESETS.class_aware.floor} for class_aware, else 0.`,
    ),
    floor_of_best: number(
      [0, 1],
      'What the best item of a layer must score, or nothing of the layer is served: "nothing ' +
        'relevant" is an answer. Default: that of the preset, ' +
        `${FORMULA_PRESETS.conversation.floorOfBest} for conversation, 0 for the others and ` +
        'for formulas.',
    ),
    fusion: fusionSchema(
      'Weights of what `sim` of turns and facts is made of; they sum to 1. Where `words` is not ' +
        'named it is 0, and one of the other two implies the other. Documents, chunks and code ' +
        'have `document_fusion`, but in a layer of kind `documents`, whose own `fusion` is for all ' +
        'that it brings.',
      DEFAULT_SCORING.fusion,
    ),
    document_fusion: fusionSchema(
      'The same of documents, chunks and code, in whichever layer they are found.',
      DEFAULT_SCORING.documentFusion,
    ),
    mmr_lambda: number(
      [0, 1],
      'Relevance against diversity: 1 = relevance only.',
      DEFAULT_SCORING.mmrLambda,
    ),
    near_duplicate: number(
      [0.5, 1],
      'Likeness (cosine, or share of words) above which the weaker of two items is dropped.',
      DEFAULT_SCORING.nearDuplicate,
    ),
    courtesy_floor: number(
      [0, 1],
      '`sim` that an item needs where the query only greets or thanks: a rule for greetings has it.',
      DEFAULT_SCORING.courtesyFloor,
    ),
    recency_half_life_hours: number(
      [0.01, 876_000],
      'After this many hours `recency` is one half.',
      DEFAULT_SCORING.recencyHalfLifeHours,
    ),
    importance_half_life_days: number(
      [0.01, 36_500],
      'After this many days importance is one half.',
      DEFAULT_SCORING.importanceHalfLifeDays,
    ),
    importance_half_lives: {
      type: 'object',
      description:
        'Half-lives in days of single categories or classes of facts. Default: fact and entity ' +
        '180, procedure 135, decision and preference 90, and of all others ' +
        '`importance_half_life_days`; where that one is given, it holds for all that are not ' +
        'named here.',
      additionalProperties: { type: 'number', minimum: 0.01, maximum: 36_500 },
    },
    importance_floor: number(
      [0, 1],
      'What `importance` falls to at least.',
      DEFAULT_SCORING.importanceFloor,
    ),
    frequency_cap: number(
      [0, 1],
      'What `frequency` reaches at most.',
      DEFAULT_SCORING.frequencyCap,
    ),
    weights: object('What each signal counts in the formula of preset `archival`.', {
      similarity: number([0, 1], 'Of `sim`.', DEFAULT_SCORING.weights.similarity),
      recency: number([0, 1], 'Of `recency`.', DEFAULT_SCORING.weights.recency),
      importance: number([0, 1], 'Of `importance`.', DEFAULT_SCORING.weights.importance),
      frequency: number([0, 1], 'Of `frequency`.', DEFAULT_SCORING.weights.frequency),
    }),
    conversation_weights: object(
      'What each signal counts in the formula of preset `conversation`; ' +
        `${LOWERING.map((name) => `\`${name}\``).join(', ')} are taken off.`,
      Object.fromEntries(
        Object.entries(DEFAULT_SCORING.conversationWeights).map(([name, weight]) => [
          name,
          number([0, 10], `Of \`${name}\`.`, weight),
        ]),
      ),
    ),
    governed_weights: object('What each signal counts in the formula of preset `governed`.', {
      latest: number([0, 10], 'Of `latest`.', DEFAULT_SCORING.governedWeights.latest),
    }),
    latest: object('How `latest` is made, where the query asks for now.', {
      per_place: number(
        [0, 1],
        'What each later text of a state takes away from those before it, as a factor.',
        DEFAULT_SCORING.latest.perPlace,
      ),
      by_tense: number(
        [0, 1],
        'What a question in the present tense counts of one with a word for now.',
        DEFAULT_SCORING.latest.byTense,
      ),
      turns: number(
        [0, 1],
        'From which share of the best match on a turn speaks of the same state.',
        DEFAULT_SCORING.latest.turns,
      ),
      turns_by_tense: number(
        [0, 1],
        'The same where the question is only in the present tense.',
        DEFAULT_SCORING.latest.turnsByTense,
      ),
      facts: number([0, 1], 'The same of facts.', DEFAULT_SCORING.latest.facts),
      facts_by_tense: number(
        [0, 1],
        'The same of facts, where the question has no word for now.',
        DEFAULT_SCORING.latest.factsByTense,
      ),
    }),
    stale_penalty: number(
      [0, 1],
      'What `stale` is of an item that another session of the principal was served.',
      DEFAULT_SCORING.stalePenalty,
    ),
    stale_minutes: number(
      [0, 1440],
      'For as many minutes after it was served.',
      DEFAULT_SCORING.staleMinutes,
    ),
    rival_share: number(
      [0, 1],
      'While something that was not served matches at least this share of the best match.',
      DEFAULT_SCORING.rivalShare,
    ),
    trust: object(
      'What `trust` is, by class of source.',
      Object.fromEntries(
        Object.entries(DEFAULT_SCORING.trust).map(([name, trust]) => [
          name,
          number(
            [0, 1],
            name === 'unknown' ? 'Of a row that says none.' : `Of \`${name}\`.`,
            trust,
          ),
        ]),
      ),
    ),
    lesson_boost: number(
      [1, MOST_BOOST],
      'What `class_boost` is of lessons, rules and feedback.',
      DEFAULT_SCORING.classBoosts.lesson,
    ),
    process_boost: number(
      [LEAST_BOOST, 1],
      'What `class_boost` is of process documents.',
      DEFAULT_SCORING.classBoosts.process,
    ),
    absorbed_factor: number(
      [0, 1],
      'What an absorbed document keeps of its score in the formula of preset `class_aware`.',
      DEFAULT_SCORING.documentFactors.absorbed,
    ),
    absorbed_cap: number(
      [0, MOST_BOOST],
      'What an absorbed document scores there at most.',
      DEFAULT_SCORING.documentFactors.absorbedCap,
    ),
    replaced_factor: number(
      [0, 1],
      'What a replaced document keeps of its score there.',
      DEFAULT_SCORING.documentFactors.replaced,
    ),
  },
);
