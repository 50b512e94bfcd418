/** What a pattern of a collection reads out of a sentence. */
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { dayText } from '../../src/capture/times/dates.ts';
import { typedClaims } from '../../src/capture/typed/typed-patterns.ts';
import type { CollectionProperty } from '../../src/model/manifest.ts';

function claimOf(pattern: string, text: string, options: readonly string[] = []): unknown {
  const property: CollectionProperty = {
    ...{ name: 'p', cardinality: 'one', description: null, words: {}, options },
    patterns: [pattern],
    type: options.length > 0 ? 'option' : 'text',
  };
  const of = { name: 'c', version: '1', description: null, path: '', digest: '' };
  const sentence = sentenceOf(text, 0);
  const stated = { sentence, slot: slotOf(sentence), today: 0 };
  const [said] = typedClaims(stated, [{ ...of, properties: { p: property } }]);
  return said?.claim.value ?? null;
}
const PLANS = ['basic', 'pro'];

describe('a pattern', () => {
  it.each([
    ['I am on the pro plan.'],
    ["I'm on the pro plan."],
    ['Im on the pro plan'],
    ['I am now on the pro plan.'],
    ["I'm currently on the pro plan, by the way."],
    ['I am on the pro plan now.'],
    ['I am on the pro plan for now.'],
    ['I am on the pro plan and happy.'],
  ])('reads %s', (text) => {
    expect(claimOf('I am on the {value} plan', text, PLANS)).toBe('pro');
  });

  it.each([
    ['I am not on the pro plan.'],
    ['I am on the fence about the pro plan.'],
    ['She is on the pro plan.'],
    ['I am on the plan.'],
    ['I am on the pro plan for work.'],
    ['I am on the pro plan if my boss pays.'],
    ['I am on the pro plan only in summer.'],
  ])('reads nothing out of %s', (text) => {
    expect(claimOf('I am on the {value} plan', text, PLANS)).toBeNull();
  });

  it.each([
    ['please answer in {value}', 'answer in German.', 'German'],
    ['please answer in {value}', 'Answer in French, please.', 'French'],
    ['I write {value}', 'I write C++.', 'C++'],
    ['call me on {value}', 'Call me on +49 30 1234567!', '+49 30 1234567'],
    ['my favourite tool is {value}', 'My favorite tool is now Vim.', 'Vim'],
    ['{value} is my nickname', 'Kat is my nickname.', 'Kat'],
    ["my boss's name is {value}", "My boss's name is Omar.", 'Omar'],
  ])('%s reads %s as it was written', (pattern, text, value) => {
    expect(claimOf(pattern, text)).toBe(value);
  });
});

/** All values, and the day that each is from. */
function valuesOf(
  text: string,
  pattern: string,
  of: Partial<Pick<CollectionProperty, 'cardinality' | 'options' | 'type'>> = {},
): readonly (readonly [unknown, string | null])[] {
  const property: CollectionProperty = {
    ...{ name: 'p', cardinality: 'one', description: null, words: {}, options: [], type: 'text' },
    ...{ patterns: [pattern], ...of },
  };
  const collection = { name: 'c', version: '1', description: null, path: '', digest: '' };
  const sentence = sentenceOf(text, 0);
  const stated = { sentence, slot: slotOf(sentence), today: TODAY };
  return typedClaims(stated, [{ ...collection, properties: { p: property } }]).map(
    ({ claim, from }) => [claim.value, from === null ? null : dayText(from)],
  );
}
const TODAY = Date.parse('2026-11-27T00:00:00.000Z');
const BILLING = { type: 'option', options: ['annual billing', 'monthly billing'] } as const;
const MANY = { cardinality: 'many' } as const;

describe('behind a value', () => {
  it.each([
    ['I switched to annual billing yesterday.', '2026-11-26'],
    ['Switched to annual billing last month', '2026-10-01'],
    ['I switched to annual billing now, please.', null],
    ['I switched to annual billing.', null],
  ])('a time is none of an option: %s', (text, day) =>
    expect(valuesOf(text, 'i switched to {value}', BILLING)).toEqual([['annual billing', day]]),
  );

  it.each([
    ['our tester is Lena now', 'Lena'],
    ['Our tester is Lena again.', 'Lena'],
    ['our tester is Lena as of today', 'Lena'],
    ['our tester is Lena from now on', 'Lena'],
    ['our tester is Tomorrow', 'Tomorrow'],
  ])('a time is none of a name: %s', (text, value) =>
    expect(valuesOf(text, 'our tester is {value}').map(([said]) => said)).toEqual([value]),
  );

  it.each(['Right Now', 'Blue Friday', 'Yesterday', 'Once Again'])(
    'a time is part of a name that is written so: %s',
    (name) =>
      expect(valuesOf(`The album goes by ${name}.`, 'the album goes by {value}')).toEqual([
        [name, null],
      ]),
  );

  it('a day is the value of a date', () =>
    expect(
      valuesOf('My trial ends on 3 May 2027.', 'my trial ends on {value}', { type: 'date' }),
    ).toEqual([['2027-05-03', null]]));

  it.each([
    ['I script in Python, Go and Rust.', ['Python', 'Go', 'Rust']],
    ['I script in Python and Go now', ['Python', 'Go']],
    ['I script in Python', ['Python']],
    ['I script in Python and hate it', ['Python and hate it']],
  ])('a list has several of a property of many: %s', (text, values) =>
    expect(valuesOf(text, 'i script in {value}', MANY).map(([said]) => said)).toEqual(values),
  );

  it('a list is one value of a property of one, and of one thing', () => {
    expect(valuesOf('I script in Python and Go', 'i script in {value}')).toHaveLength(1);
    const text = 'I work on a project called Search and Rescue';
    expect(valuesOf(text, 'i work on a project called {value}', MANY)).toEqual([
      ['Search and Rescue', null],
    ]);
  });
});
