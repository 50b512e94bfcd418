/** A part of a list is not what was said: such a statement is kept as it is. */
import { describe, expect, it } from 'vitest';
import { asSaid } from '../../src/capture/sentences/as-said.ts';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';

const kept = (text: string): string => {
  const sentence = sentenceOf(text, 0);
  return asSaid(sentence, slotOf(sentence));
};

describe('a value that is one of several', () => {
  it.each([
    'My allergies: nuts and shellfish',
    'My allergy: nuts and shellfish',
    'My allergies - nuts and shellfish',
    'My medicines: metformin and lisinopril',
    'My favourite colours: blue and green',
    'My blood pressure: 120 over 80 and rising',
  ])('keeps all of %j', (text) => expect(kept(text)).toBe(text));

  it.each([['My allergies: nuts', 'my allergies are nuts']])('restates %j', (text, as) =>
    expect(kept(text)).toBe(as),
  );
});
