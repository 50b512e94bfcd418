/** JSON Schema (draft-07) of `spec.writing`: how memory is captured. */
import { MEMORY_CLASSES, type MemoryClass } from '../model/capture.ts';
import { DEFAULT_WRITING } from '../model/manifest.ts';
import { type JsonSchema, list, MANIFEST_NAME, number, object, text } from './schema-values.ts';

const MEMORY_TEXT: Readonly<Record<MemoryClass, string>> = {
  preference: 'What a person likes, wants and is used to.',
  fact: 'What holds of a person, and what they did.',
  rule: 'What is to be checked before an action.',
  lookup: 'Addresses, commands, names of things.',
  state: 'What holds until a day.',
  procedure: 'Steps that are done again.',
  lesson: 'What went wrong, and what was learned.',
  typed: 'Values of collections.',
};

export const writingSchema: JsonSchema = object('How memory is captured from turns.', {
  capture: {
    type: 'boolean',
    description:
      'Capture after each append, off its path. `contextengine capture` captures whatever it says.',
    default: false,
  },
  near_duplicate: number(
    [0, 1],
    'Cosine from which a statement may be known already. It is dropped only where numbers, ' +
      'names, negations, dates and function words agree as well. Default: that of the space of ' +
      'the embedder, 0.92 for the built-in one and 0.95 for one that was not measured.',
  ),
  min_confidence: number(
    [0, 1],
    'Statements under it are declined.',
    DEFAULT_WRITING.minConfidence,
  ),
  into: object(
    'The type of the scope of the closure that a class of memory is written to; the nearest of ' +
      'that type. Whoever reads that scope reads the statement, so this is what declassifies it. ' +
      'A class that is not named stays in the scope of its turns.',
    Object.fromEntries(
      MEMORY_CLASSES.map((memory) => [memory, text(MEMORY_TEXT[memory], MANIFEST_NAME)]),
    ),
  ),
  cost_budget_usd_per_day: number(
    [0, 1_000_000],
    'What a model may cost for captures of one scope in a UTC day, in dollars. At the cap the work waits for the next day; nothing is lost. 0 = no model is asked.',
    DEFAULT_WRITING.costBudgetUsdPerDay,
  ),
  never: {
    ...list(
      undefined,
      'Negative space: a sentence with one of these words or phrases, in the plural or as a ' +
        'possessive too, is never captured, nor is what is known under such a name.',
    ),
    // Marks alone would name nothing.
    items: { type: 'string', pattern: '[\\p{L}\\p{N}]', patternErrorMessage: 'a word' },
  },
});
