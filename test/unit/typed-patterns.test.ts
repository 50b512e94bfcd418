/** What a pattern of a collection reads out of a sentence. */
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/capture/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';
import { typedClaims } from '../../src/capture/typed-patterns.ts';
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
  const [claim] = typedClaims(stated, [{ ...of, properties: { p: property } }]);
  return claim?.value ?? null;
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
