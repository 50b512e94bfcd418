/** Lists that are no way to do something, and work that is done by its number. */
import { expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

const verdictsOf = (content: string): readonly string[] =>
  [...gatedPieces(turnOf(content), gating)].map(({ verdict }) =>
    verdict.isKept ? verdict.class : verdict.reason,
  );

it.each([
  ['1. Buy milk\n2. Call Bo', 'task'],
  ['To do:\n1. Buy milk\n2. Pay rent', 'task'],
  ['My shopping list:\n- milk\n- eggs', 'task'],
  ['Questions:\n1. What is the deadline?\n2. Who owns it?', 'no_claim'],
  ['Options:\n- always use tabs\n- never use tabs', 'no_claim'],
  ['Errors:\n- Connection refused on port 5432', 'no_claim'],
])('%j says no way to do something', (content, reason) => {
  expect(verdictsOf(content)).toEqual([reason]);
});

it.each([
  'How to deploy:\n1. Build the image\n2. Push it\n3. Run the migration',
  '1. Run npm test\n2. Commit\n3. Push',
  'To call in sick:\n1. Call Bo\n2. Email the team',
])('%j is a procedure', (content) => expect(verdictsOf(content)).toEqual(['procedure']));

it.each(['1. I live in Rome.\n2. I work at Acme.', '1. I live in Rome\n2. I work at Acme'])(
  '%j tells of oneself',
  (content) => {
    expect(verdictsOf(content).filter((each) => each === 'fact')).toHaveLength(2);
  },
);

it.each([
  'We merged #412 in May',
  'I closed ticket 88 in June',
  'We released 2.0 in May',
  'I fixed bug #12 last week.',
])('%s is an artifact', (content) => expect(verdictsOf(content)).toEqual(['artifact']));

it.each([
  'I closed my account in June.',
  'We released our album in May.',
  'We merged our companies in May.',
  'I fixed 2.0 litres of it in May.',
])('%s is none', (content) => expect(verdictsOf(content)).not.toContain('artifact'));
