/** A correction of how something is done is kept as the way to do it. */
import { expect, it } from 'vitest';
import { capturedOf } from '../support/capture-succession.ts';

it.each([
  ['Correction: use pnpm, not npm.', 'Use pnpm, not npm.'],
  ["That's wrong: use pnpm for this repo.", 'Use pnpm for this repo.'],
  ['Actually, use pnpm instead of npm.', 'Use pnpm instead of npm.'],
])('%s', (said, content) => {
  expect(capturedOf(said)).toMatchObject([{ class: 'procedure', content, isCorrection: true }]);
});

it.each([
  'Correction: run the tests again.',
  'Correction: Basel, not Bern.',
  'Correction: should I use pnpm instead of npm?',
  "That's wrong: use the other file.",
  "That's wrong: use it for this repo.",
])('is of the moment, or of a value: %s', (said) => {
  expect(capturedOf(said).map(({ class: memory }) => memory)).not.toContain('procedure');
});
