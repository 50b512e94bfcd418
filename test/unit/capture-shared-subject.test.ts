/** Statements of one `I` that stand in one sentence. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

const statedIn = (content: string) => {
  const pieces = [...gatedPieces(turnOf(content), gating)];
  const { going } = extractCandidates(pieces, extracting);
  return going.flatMap((each) => (each.kind === 'fact' ? [each] : []));
};

describe('each clause of one subject is a statement of its own', () => {
  it.each([
    [
      'I live in Graz, work as a nurse and have two kids.',
      ['lives in Graz', 'works as a nurse', 'has two kids'],
    ],
    [
      "I'm a nurse, live in Bern and have two dogs.",
      ['is a nurse', 'lives in Bern', 'has two dogs'],
    ],
    ['My name is Ada, I’m 34 and live in Berlin.', ["'s name is", 'is 34', 'lives in Berlin']],
    ['I work at Acme and drive a Tesla.', ['works at Acme', 'drives a Tesla']],
    ['I now live in Bern, work at Roche, and I drive a Golf.', ['Bern', 'Roche', 'a Golf']],
    ['I have a dog called Rex and a cat named Tom.', ['dog called Rex', 'has a cat named Tom']],
    ["I'm vegan and live in Bern.", ['is vegan', 'lives in Bern']],
    ["I'm vegan and I live in Bern.", ['is vegan', 'lives in Bern']],
    ["I'm allergic to nuts and live in Bern.", ['is allergic to nuts', 'lives in Bern']],
    ['We live in Bern and have two dogs.', ['live in Bern', 'have two dogs']],
  ])('%s', (content, told) => {
    const stated = statedIn(content);
    expect(stated).toHaveLength(told.length);
    for (const [index, words] of told.entries()) expect(stated[index]?.content).toContain(words);
    const spans = stated.map(({ start, end }) => content.slice(start, end));
    // The words that the turn has, without those that were added to stand by themselves.
    expect(content.startsWith(spans[0] ?? '')).toBe(true);
    expect(content.endsWith(spans.at(-1) ?? '')).toBe(true);
    expect(spans.join('').length).toBeLessThan(content.length);
    expect(stated.every(({ isDirect }) => isDirect)).toBe(true);
  });

  it.each([
    'I know people who live in Rome and work as nurses.',
    'I like to live in peace and have a beer.',
    'I live and work in Graz.',
    'My sister and I live in Ulm and have a cat.',
    'If I live in Graz, work as a nurse and have two kids, do I pay less?',
    'They live in Graz and have two kids.',
    'I have a friend called Tom and work with him.',
    'I said I live in Rome and work at Acme.',
    "I'm allergic to nuts and milk.",
    "I'm vegan and happy.",
  ])('one statement at most: %s', (content) => {
    expect(statedIn(content).length).toBeLessThanOrEqual(1);
  });
});
