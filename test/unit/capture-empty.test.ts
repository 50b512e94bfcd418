/** What says that something was, and not what, is not kept; what tells of it in full is. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { gating, turnOf } from '../support/capture-turns.ts';

const keptOf = (text: string): number =>
  [...gatedPieces(turnOf(text, 0), gating)].filter(({ verdict }) => verdict.isKept).length;

const KINDS: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  'a saying': [
    ['Our kids are our future.', 'Our children are the future.', 'My family is my whole world.'],
    ['My sister is our accountant.', 'My kids are my biggest fans.', 'My son is my only child.'],
  ],
  'what is not at hand': [
    [
      "I don't have a recipe.",
      "I don't have a picture.",
      'I do not have any particular plan.',
      "We don't have a name yet.",
    ],
    [
      "I don't have a car.",
      "I don't have a brother.",
      "We don't have a dog.",
      "I don't have a driving licence.",
      "I don't have a favourite colour.",
      "I don't have a passport because it expired in May.",
    ],
  ],
  'what another sentence names': [
    [
      'I can store that.',
      'I gave up correcting her.',
      'I am there five years.',
      'I drive there on Mondays.',
      'My Dutch is worse.',
    ],
    [
      'I have been to Japan and loved it there.',
      'There is a piano in my house.',
      'I like tea more than coffee.',
      'I have a cat and I love it.',
    ],
  ],
  'what stands before it in the talk': [
    [
      'I like that.',
      "But I don't want.",
      "Now, I've got a confession.",
      "I'll practice it in the pool.",
      "But I'd never, it's all parking garages.",
      'I am lazy for this.',
      'I do Tuesdays and Thursdays there.',
      'I started Tuesday.',
      'I was saying Jo.',
      'how do i stop my laptop fan from screaming',
      'can you do a week of dinners for one, vegetarian',
      'will a 50m drum go behind the seats in a transit custom',
    ],
    [
      'I like that cafe on Main Street.',
      "I don't want children.",
      "I've got a horse.",
      "I'd never eat veal.",
      'I started at Acme on Tuesday.',
      'I work with Bo on it.',
      'I live in Rome.',
      'I was born in Turin.',
    ],
  ],
  'a happening without what': [
    [
      'I had a crazy game last week!',
      'Last Friday I had a milestone moment at the gym.',
      'Last weekend I had an experience that reminded me of our impact.',
      'Yesterday we had such an amazing time.',
      'I had a long day.',
    ],
    [
      'Last week we had a meaningful experience at a military memorial.',
      'I had a great experience last weekend hiking with my church friends.',
      'Last year I had a basketball game where we were trailing in the last quarter.',
      'I had a tough exam last week.',
      'I had a job interview at Acme yesterday.',
      'I had a knee operation in March.',
    ],
  ],
  'an effort without what': [
    ['I studied hard and it showed me how strong I can be.', "I've been training so hard."],
    ['I studied law in Ghent.', 'I started training for a marathon last month.'],
  ],
  'a doing without its object': [
    [
      "I've been reading a lot in the past week!",
      "I've been playing for about four months now.",
      "I've been practicing a lot lately.",
    ],
    [
      "I've been playing chess for about four months now.",
      "I've been learning Italian for two years.",
      "I've been working at Acme for six years.",
    ],
  ],
  'one of what was named before': [
    [
      "I'm working on one with my group called Finding Home.",
      'I bought one last week.',
      'Seeing them come alive was my favorite part.',
    ],
    [
      "I'm writing a script with my group called Finding Home.",
      'I bought one of the last houses on Elm Row last week.',
      'I have one brother in Oslo.',
      'The Hobbit is one of my favorites.',
    ],
  ],
  'the weather': [
    ['The weather here has been great lately.', 'The sun is finally out today.'],
    ['I moved to Lisbon for the weather.', 'I love rainy weather.'],
  ],
};

describe.each(Object.entries(KINDS))('%s', (_, [empty, full]) => {
  it.each(empty)('is declined: %s', (text) => expect(keptOf(text)).toBe(0));
  it.each(full)('is not: %s', (text) => expect(keptOf(text)).toBeGreaterThan(0));
});
