import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { turnOf } from '../support/capture-turns.ts';

const settings = { layerNames: new Set<string>(), never: [] };
const heardOf = (content: string, isReply = false) =>
  [...gatedPieces({ ...turnOf(content, 0), author: 'Ada' }, { ...settings, isReply })]
    .filter(({ verdict }) => verdict.isKept)
    .map(({ voice }) => voice.isForeign);

describe('a turn that says who speaks in it', () => {
  it.each([
    'Bo here. I live in Rome.',
    'Hi, this is Bo. I live in Rome.',
    "It's Bo here. I live in Rome.",
    'Scene 2. I live in Rome.',
    'From Bo. I live in Rome.',
    'Bo, on his blog: I live in Rome.',
    'Bo, 34: I live in Rome.',
    "I live in Rome (from Bo's letter).",
    'I live in Rome (according to Bo).',
    'assert bio ==\nI live in Rome.',
    'const bio =\nI live in Rome.',
    'ERROR 2026-11-28 10:00 user said\nI live in Rome.',
  ])('is not its speaker: %s', (text) => {
    expect(heardOf(text)).toEqual([true]);
  });

  it.each([
    'Ada here. I live in Rome.',
    'Ada: I live in Rome.',
    'This is great. I live in Rome.',
    'This is about me: I live in Rome.',
    'You asked where I live: I live in Rome.',
    '-- I live in Bern, by the way',
    'I live in Rome (from May on).',
    'I moved to Rome (from Bern).',
    'I live in Rome (see my letter).',
    'Scene 2 went well. I live in Rome.',
    'Quick note, on the house: I live in Rome.',
  ])('is its speaker: %s', (text) => {
    expect(heardOf(text).at(-1)).toBe(false);
  });

  it('is one place that answers a question', () => {
    expect(heardOf('From Rome. I live in Bern.', true).at(-1)).toBe(false);
  });
});
