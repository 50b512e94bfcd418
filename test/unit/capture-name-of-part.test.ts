/** Which words behind `my name is` take the place of the name. */
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';

describe('a name that holds for a part, or is none', () => {
  const nameIn = (text: string) => {
    const slot = slotOf(sentenceOf(text, 0));
    return slot?.name === 'name' ? slot.value : null;
  };
  it.each([
    'My name is often misspelled as Aida.',
    'My name is usually shortened to Ad.',
    'In France my name is Adèle.',
    'At work my name is Addy.',
    'On my passport, my name is Adelheid.',
  ])('%s', (text) => expect(nameIn(text)).toBeNull());

  it.each(['My name is Ada.', 'My name is now Ada.', 'By the way, my name is Ada.'])(
    'is one: %s',
    (text) => expect(nameIn(text)?.toLowerCase()).toBe('ada'),
  );
});
