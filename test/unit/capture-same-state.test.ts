/** The same state told in other plain words has the same slot; other states keep theirs. */
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../../src/capture/sentences/sentence.ts';
import { type SaidSlot, slotOf } from '../../src/capture/slots/slot.ts';
import { type WordedState, worded, wordedStates } from '../support/state-wordings.ts';

const read = (text: string): SaidSlot | null => slotOf(sentenceOf(text, 0));
const nameOf = (text: string): string | null => {
  const slot = read(text);
  return slot === null || slot.isBeside ? null : slot.name;
};

/** Of two wordings, whether the second takes the place of the first. */
const takesPlace = (before: SaidSlot | null, after: SaidSlot | null): boolean =>
  before !== null &&
  after !== null &&
  !after.isEnd &&
  (before.name === after.name || after.instead?.was === before.value);

function shareOf({ tells, changes, values }: WordedState): readonly [right: number, all: number] {
  const [first = '', second = '', other = ''] = values;
  const all = [...tells, ...changes];
  const before = all.map((form) => read(worded(form, first, other)));
  const after = all.map((form) => read(worded(form, second, first)));
  let right = 0;
  for (const [at, one] of before.entries())
    for (const [place, two] of after.entries())
      if (at !== place && takesPlace(one, two)) right += 1;
  return [right, all.length * (all.length - 1)];
}

describe('forty states, each in eleven to fifteen wordings', () => {
  // Of all ordered pairs of two wordings, unread: open .263, held .307; then those of `open`
  // were read: .840, .426. The wordings of `held` are read for no rule.
  it.each([
    ['open', 0.8],
    ['held', 0.4],
  ] as const)('have one slot: %s', (side, least) => {
    const shares = wordedStates()
      .filter((state) => state.side === side)
      .map(shareOf);
    const right = shares.reduce((sum, [each]) => sum + each, 0);
    const all = shares.reduce((sum, [, each]) => sum + each, 0);
    process.stdout.write(`${side}: ${(right / all).toFixed(3)} of ${all} pairs of wordings\n`);
    expect(right / all).toBeGreaterThanOrEqual(least);
  });
});

describe('what is said in other words of another state', () => {
  it.each([
    ['My manager is Tom.', "My wife's manager is Olaf."],
    ['My manager is Tom.', 'My first manager was Olaf.'],
    ['My manager is Tom.', 'Olaf manages my wife.'],
    ['My manager is Tom.', 'Olaf manages the payments team.'],
    ['My manager is Tom.', "My sister's boss took over as her manager."],
    ['My laptop is a MacBook.', 'My other laptop is a ThinkPad.'],
    ['My laptop is a MacBook.', 'I work on a ThinkPad on weekends.'],
    ['My dog is Rex.', 'Bella is my dog.'],
    ['My sister is Mia.', 'Lena is my sister.'],
    ['My desk is 12.', 'I work on the fifth floor.'],
    ['My office is on the third floor.', 'I live on the fifth floor.'],
    ['I live in Rome.', 'I moved to Elm Street.'],
    ['I live in Rome.', 'I moved to desk 12.'],
    ['I live in Rome.', 'We migrated from AWS to Azure.'],
    ['My car is a Golf.', 'My car is parked in B7.'],
    ['I work at Acme.', "I'm on Azure."],
    ['We run version 4.2.', 'We run version 15 of Postgres.'],
    ['Aviva insures my car.', 'Allianz insures my house.'],
    ['Tom supervises my thesis.', 'Tom manages me.'],
    ['I take the 73 bus.', 'I take the 12 bus on Sundays.'],
    ['I run 8 km a day.', 'I run 20 km on Sundays.'],
    ['I run 8 km a day.', 'I swim 2 km a day.'],
    ['My operating system is Fedora.', "I'm on Windows at work."],
    ['I start work at 8:00.', 'My kids start school at 8:10.'],
    ['My main client is Bosch.', 'My client is Nestor.'],
    ['My dentist is Dr Weber.', 'I see Dr Moreau for my eyes.'],
    ['My coffee order is a cortado.', 'I drink tea.'],
  ])('%s | %s', (before, after) => {
    expect(takesPlace(read(before), read(after)) && nameOf(after) !== null).toBe(false);
  });
});

describe('what is said in other words of the same state', () => {
  it.each([
    ['manager', 'Tom manages me.|Since May Tom is my manager.|The person I report to is Tom.'],
    ['manager', 'Tom took over as my manager.|Tom has taken over from Ann as my manager.'],
    ['accountant', 'Vera does my taxes.|I go to Vera for my taxes.|My accountant is Vera.'],
    ['car insurance', 'Aviva insures my car.|My car is insured with Aviva.'],
    ['house insurance', 'Aviva insures my house.|I have my house insurance with Aviva.'],
    ['electricity supplier', 'I get my electricity from Octopus.|Octopus supplies my electricity.'],
    ['desk number', 'Desk 12 is mine.|I sit at desk 12.|I moved from desk 3 to desk 12.'],
    ['locker number', 'My locker is number 7.|I have locker 7.|They gave me locker 7.'],
    ['bus number', 'I take the 73 bus to work.|My bus is the 73.|The bus I take is the 73.'],
    ['floor', 'I work on the fifth floor.|Our team has moved up to the 5th floor.'],
    ['time zone', "I'm on PST.|I work in CET.|I switched to UTC."],
    ['address', 'I live on Elm Street.|I moved to Elm Street.|My flat is on Elm Street.'],
    ['cloud provider', "We're on Azure.|We migrated from AWS to Azure.|We host on Azure."],
    ['operating system', 'My laptop runs Fedora.|I switched from Ubuntu to Fedora.'],
    ['thesis supervisor', 'I write my thesis with Professor Costa.|My supervisor is Prof. Costa.'],
    [
      'favorite restaurant',
      'My go-to restaurant is Osteria.|My favourite place to eat is Osteria.',
    ],
  ])('%s: %s', (slot, texts) => {
    for (const text of texts.split('|')) expect([text, nameOf(text)]).toEqual([text, slot]);
  });
});
