/** What is said beside a task: where the statement ends, and what of it is none. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { turnOf } from '../support/capture-turns.ts';

const settings = { layerNames: new Set<string>(), never: [] };
/** What is kept, `?` behind what waits, and why the rest is not. */
const readOf = (content: string): readonly string[] =>
  [...gatedPieces(turnOf(content, 0), settings)].map(({ verdict, whole }) =>
    verdict.isKept ? `${whole.text}${verdict.isUnsure ? ' ?' : ''}` : `-${verdict.reason}`,
  );

describe('what is asked behind a statement', () => {
  it.each([
    ['Credit score 688, what APR should I expect', ['Credit score 688', '-question']],
    ["I'm allergic to nuts, which bars can I eat", ["I'm allergic to nuts", '-question']],
    ["I'm on metformin, when should I take it", ["I'm on metformin", '-question']],
    ['I use vim, which plugin is best for rust', ['I use vim', '-question']],
  ])('is no part of it: %s', (content, read) => expect(readOf(content)).toEqual(read));

  it.each([
    'I live in Rome, which is great',
    'I work at Acme, where I do sales',
    'I moved to Bern in 2019, when my son was born',
  ])('is none: %s', (content) => expect(readOf(content)).toEqual([content]));
});

describe('what is due within the hour', () => {
  it.each([
    'I have a meeting in ten minutes',
    'my train leaves in twenty minutes',
    "I've got a call in half an hour",
    'our bus comes in 5 min',
  ])('is of the moment: %s', (content) => expect(readOf(content)).toEqual(['-momentary']));

  it.each(['My oven heats up in 10 minutes', 'I run a mile in six minutes'])(
    'is no such thing: %s',
    (content) => expect(readOf(content)).not.toContain('-momentary'),
  );
});

describe('of the task', () => {
  it('a figure behind it waits, with a verb or by itself it is told', () => {
    expect(readOf('Could you write a mail about the trip? Cost 12.50')).toEqual([
      '-question',
      'Cost 12.50 ?',
    ]);
    expect(readOf('Can you redo my budget? My rent is 950.')).toEqual([
      '-question',
      'My rent is 950.',
    ]);
    expect(readOf('Rent 910 now.')).toEqual(['Rent 910 now.']);
  });

  it.each([
    'simultaneous eqs: 3x+2y=16, x-y=2.',
    'tenant msg pls: boiler man 8-12 thurs',
    'just off nights. can u convert 1.2 mg/kg/hr for 68kg into ml/hr',
    'I have a question to my apple tree.',
  ])('nothing goes live: %s', (content) =>
    expect(readOf(content).every((said) => said.startsWith('-') || said.endsWith(' ?'))).toBe(true),
  );
});

describe('what others wrote', () => {
  it.each([
    'The museum replies: "Dear Ms Farrow',
    'from my manager, what he say: "Hi all pls note from wk 6 PM pickers will be rota\'d 14-22"',
    'my landlord texted: "The rent is 900 from May"',
  ])('is quoted: %s', (content) => expect(readOf(content)).toEqual(['-quoted']));

  it('a tool that failed is output, with what it says of it', () => {
    const lock = 'Error: Error acquiring the state lock\nLock Info: ID: 7f1c Who: devon@mbp';
    expect(readOf(`${lock}\nI live in Rome.`)).toEqual(['-output', 'I live in Rome.']);
    expect(readOf('Warning: I am allergic to nuts.')).not.toContain('-output');
  });
});

it('a thing that a long sentence names far before is not what `it` is of', () => {
  const dictated =
    "Okay so I'm talking into this, my hands shake, and I got a toilet in the upstairs bathroom " +
    "that runs about every twenty minutes, it's a Kohler, and my wife says call a plumber and I say no";
  expect(slotOf(sentenceOf(dictated, 0))).toBeNull();
});
