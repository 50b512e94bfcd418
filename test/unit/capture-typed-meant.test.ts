/** `No, I meant the pro plan`: the value of a property that was said just before. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import type { Collection, CollectionProperty } from '../../src/model/manifest.ts';
import { at, extracting, gating, turnOf } from '../support/capture-turns.ts';

const base = { cardinality: 'one', description: null, words: {}, options: [] } as const;
const property = (name: string, more: Partial<CollectionProperty>): CollectionProperty => ({
  ...{ ...base, name, type: 'text', patterns: [] },
  ...more,
});
const account: Collection = {
  ...{ name: 'account', version: '1', description: null, path: '', digest: '' },
  properties: {
    plan: property('plan', {
      type: 'option',
      options: ['free', 'team', 'pro'],
      patterns: ['I am on the {value} plan'],
    }),
    seats: property('seats', { type: 'int', patterns: ['we have {value} seats'] }),
    nickname: property('nickname', { patterns: ['my handle is {value}'] }),
  },
};

/** Values that were read of the turns of a person, with their time and sources. */
function valuesOf(...turns: readonly string[]) {
  const gated = turns.flatMap((text, n) => [...gatedPieces(turnOf(text, n), gating)]);
  const { going } = extractCandidates(gated, { ...extracting, collections: [account] });
  return going.flatMap((each) =>
    each.kind === 'typed'
      ? [[each.typed.property, each.typed.value, each.valid_from, each.antecedent?.uuid ?? null]]
      : [],
  );
}

describe('a correction of a value that has no slot', () => {
  it.each([
    'No, I meant the pro plan.',
    'Sorry, I meant pro.',
    'I meant the pro plan, not the team plan.',
  ])('is read of %s', (correction) => {
    const values = valuesOf('I am on the team plan.', correction);
    const first = turnOf('', 0).uuid;
    expect(values).toEqual([
      ['plan', 'team', at(0), null],
      ['plan', 'pro', at(0), first],
    ]);
  });

  it('is of the last that it fits', () => {
    const values = valuesOf('I am on the team plan.', 'We have 12 seats.', 'No, I meant 14.');
    expect(values.at(-1)?.slice(0, 3)).toEqual(['seats', 14, at(1)]);
    const plan = valuesOf('I am on the team plan.', 'We have 12 seats.', 'I meant the pro plan.');
    expect(plan.at(-1)?.slice(0, 3)).toEqual(['plan', 'pro', at(0)]);
  });

  it.each([
    ['My handle is Kat.', 'I meant well.'],
    ['I am on the team plan.', 'I meant the gold plan.'],
    ['I am on the team plan.', 'No, I meant the team plan.'],
    ['I am on the team plan.', 'I meant the pro plan, not the free plan.'],
    ['I am on the team plan.', 'No, I meant what I said.'],
  ])('is none after %s in %s', (said, correction) => {
    expect(valuesOf(said, correction)).toHaveLength(1);
  });

  it('is of nobody else, and of nothing said long ago', () => {
    expect(valuesOf('No, I meant the pro plan.')).toEqual([]);
    const talk = ['Thanks!', 'Lovely day.', 'See you.', 'Right.'];
    expect(valuesOf('I am on the team plan.', ...talk, 'I meant the pro plan.')).toHaveLength(1);
  });
});
