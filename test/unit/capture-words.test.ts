/** Words that a table of a language has by itself, and turns that the rules cannot read. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { gateBefore, gateTurns } from '../../src/capture/gate/gate-turns.ts';
import { at, extracting, gating, turnOf } from '../support/capture-turns.ts';

const WORDS = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  '__defineGetter__',
];
const PLACES = [
  '%',
  '% is 9.',
  'I call super in my %.',
  'My % is Ada.',
  "My %'s name is Ada.",
  'I % in Rome and I %.',
  'I live in %.',
  'We % it, I am %.',
  "I'm % of it.",
  'My favourite % is %.',
  'Actually, I meant %.',
  'No, %.',
  'I prefer % and % to tea.',
  'They moved me to the % team.',
  'Always call % before %.',
  'Remember that % is %.',
  '% moved to %, my %.',
];

describe('words that are names of the language itself', () => {
  it.each(WORDS)('%s is captured or declined', (word) => {
    const turns = PLACES.map((place, n) => turnOf(place.replaceAll('%', word), n));
    const gated = turns.flatMap((turn) => [...gatedPieces(turn, gating)]);
    const { going, settled } = extractCandidates(gated, extracting);
    expect(settled.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(going.length).toBeGreaterThan(0);
    for (const each of going)
      if (each.kind === 'fact') expect(each.content).not.toMatch(/function |\[object/);
  });
});

it('says what a person is called', () => {
  const of = (said: string) =>
    extractCandidates([...gatedPieces(turnOf(said), gating)], extracting).going.map((each) =>
      each.kind === 'fact' ? each.content : '',
    );
  expect(of('Please call me Dee.')).toEqual([expect.stringMatching(/goes by Dee\.$/)]);
  expect(of('Call me when you land.').join()).not.toContain('goes by');
});

it('leaves a country its name', () => {
  const { going } = extractCandidates(
    [...gatedPieces(turnOf('I live in the US now.'), gating)],
    extracting,
  );
  expect(going.map((each) => (each.kind === 'fact' ? each.content : ''))).toEqual([
    expect.stringMatching(/lives in the US now/),
  ]);
});

/** A name of a layer that cannot be asked for. */
class Broken extends Set<string> {
  override has(name: string): boolean {
    if (name === 'broken') throw new TypeError('broken');
    return super.has(name);
  }
}

describe('a turn that the rules cannot read', () => {
  it('is set aside alone, with a code', async () => {
    const turns = ['I live in Rome.', '# broken', 'I work at Acme.'].map((said, n) =>
      turnOf(said, n),
    );
    const { gated, settled } = await gateTurns(turns, { ...gating, layerNames: new Broken() });
    expect(gated.map(({ turn }) => turn.content)).toEqual(['I live in Rome.', 'I work at Acme.']);
    expect(settled).toMatchObject([
      { source_uuid: turns[1]?.uuid, start: 0, end: 8, outcome: 'failed' },
    ]);
    expect(settled[0]?.reason).toBe('CAPTURE.UNREADABLE');
  });
});

describe('the turns before a correction', () => {
  const said = (author: string, content: string, n: number) => ({ ...turnOf(content, n), author });

  it('are read as far back as it reaches, with what others said since', async () => {
    const before = [
      said('Ada', 'I live in Rome.', 0),
      said('Ada', 'I work at Acme.', 1),
      said('Bob', 'I live in Oslo.', 2),
      said('Ada', 'I drive a Volvo.', 3),
      said('Bob', 'I work at Bolt.', 4),
    ];
    const gated = [...gatedPieces(said('Ada', 'No, I work at Barco.', 5), gating)];
    const read = await gateBefore(gated, before, gating);
    expect(read.map(({ turn }) => turn.content)).toEqual([
      'I work at Acme.',
      'I live in Oslo.',
      'I drive a Volvo.',
      'I work at Bolt.',
    ]);
    const { going } = extractCandidates(gated, extracting, read);
    expect(going).toMatchObject([{ isCorrection: true, valid_from: at(1) }]);
  });

  it('leave the event loop to others', async () => {
    const long = `${'moved to '}${'a '.repeat(290)}. `.repeat(60);
    const turns = Array.from({ length: 4 }, (_, n) => turnOf(long, n));
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 1);
    await gateTurns(turns, gating);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(3);
  });
});
