/** `I'm at … now`: a firm, a town, a weight, or only how far one has come. */
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { slotOf } from '../../src/capture/slots/slot.ts';

const slotIn = (text: string): string => {
  const slot = slotOf(sentenceOf(text, 0));
  return slot ? `${slot.name}=${slot.value}` : '';
};

describe('where one is by now', () => {
  it.each([
    ["I'm at Bosch now", 'employer=bosch'],
    ["I'm with 3M now", 'employer=3m'],
    ["I'm at 1Password now", 'employer=1password'],
    ["I'm at 7 Eleven now", 'employer=7 eleven'],
    ['I work at 37signals', 'employer=37signals'],
    ["I'm in Berlin now", 'home=berlin'],
    ["I'm at 80 kg now", 'weight=80'],
    ["I'm at 80kg now", 'weight=80'],
    ["I'm about 40", 'age=40'],
  ])('%s', (text, slot) => {
    expect(slotIn(text)).toBe(slot);
  });

  it.each([
    "I'm at 85% now",
    "I'm on 40 now",
    "I'm at 4:30 now",
    "I'm at 20 mg now",
    "I'm at level 5 now",
    "I'm at B1 now",
    "I'm with 2 kids now",
    'I work at 80%',
    'I work at 80 percent now',
    "I'm in Year 9 now",
    "I'm in 7th grade now",
    "I'm in Q3 now",
    "I'm at 80 kg on the bench press now",
    "I'm at 60kg for squats now",
  ])('says of no slot: %s', (text) => {
    expect(slotIn(text)).toBe('');
  });
});

describe('what follows a change of jobs, banks or gyms', () => {
  it.each([
    ["I changed jobs, I'm in Berlin now", 'home=berlin'],
    ["I changed jobs, I'm in Graz now", 'home=graz'],
    ["I changed jobs, I'm in sales now", 'occupation=sales'],
    ["I changed jobs, I'm in Sales now", 'occupation=sales'],
    ["I changed jobs, I'm at Bosch now", 'employer=bosch'],
    ["I switched jobs, I'm with the city of Bern now", 'employer=city of bern'],
    ["I changed jobs, I'm a welder now", 'occupation=welder'],
    ["I changed gyms, I'm at Forge now", 'gym=forge'],
    ["I switched teams, I'm in Payments now", 'team=payments'],
  ])('%s', (text, slot) => {
    expect(slotIn(text)).toBe(slot);
  });

  it.each([
    "I changed gyms, I'm in Berlin now",
    "I switched banks, I'm in Berlin now",
    "I changed jobs, I'm at the hospital now",
    "I changed doctors, I'm in Berlin now",
  ])('is none of it: %s', (text) => {
    expect(slotIn(text)).toBe('');
  });
});
