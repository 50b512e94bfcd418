/**
 * The questions of a gold file: groups that share a category, a layer and a store, and what each
 * asks.
 */
import { createHash } from 'node:crypto';
import type { EvalQuestion, Side } from '../suite.ts';
import type { Place } from './fields.ts';
import {
  fieldsOf,
  listOf,
  optionalText,
  present,
  textOf,
  textsOf,
  timeOf,
  under,
} from './fields.ts';

const SHARED_KEYS = ['category', 'layer', 'store', 'intent'];
const OWN_KEYS = ['id', 'q', 'evidence', 'rivals', 'as_of'];
const DEFAULT_INTENT = 'fact';

/** Of a hundred questions, as many are for tuning; the others are only ever reported. */
const DEV_PERCENT = 60;

/** By the question's id alone, so that a new question moves no other one across. */
export const sideOf = (id: string): Side => {
  const [byte = 0, next = 0] = createHash('sha256').update(id).digest();
  return (byte * 256 + next) % 100 < DEV_PERCENT ? 'dev' : 'held_out';
};

/** A group, or a question that stands alone with the keys of both. */
export function readQuestions(value: unknown, place: Place): readonly EvalQuestion[] {
  return listOf(value, place).flatMap((raw, index) => {
    const at = under(place, index);
    const isGroup = typeof raw === 'object' && raw !== null && 'ask' in raw;
    const group = fieldsOf(
      raw,
      isGroup ? [...SHARED_KEYS, 'ask'] : [...SHARED_KEYS, ...OWN_KEYS],
      at,
    );
    if (!isGroup) return [readQuestion(group, group, at)];
    return listOf(group['ask'], under(at, 'ask')).map((entry, number) => {
      const place = under(under(at, 'ask'), number);
      return readQuestion(fieldsOf(entry, OWN_KEYS, place), group, place);
    });
  });
}

function readQuestion(
  own: Readonly<Record<string, unknown>>,
  shared: Readonly<Record<string, unknown>>,
  place: Place,
): EvalQuestion {
  const id = textOf(own, 'id', place);
  return present({
    id,
    query: textOf(own, 'q', place),
    category: textOf(shared, 'category', place),
    layer: textOf(shared, 'layer', place),
    store: textOf(shared, 'store', place),
    intent: optionalText(shared, 'intent', place) ?? DEFAULT_INTENT,
    evidence: textsOf(own['evidence'], under(place, 'evidence')),
    rivals:
      own['rivals'] === undefined ? undefined : textsOf(own['rivals'], under(place, 'rivals')),
    asOf: timeOf(own, 'as_of', place),
    side: sideOf(id),
  });
}
