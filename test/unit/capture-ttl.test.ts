/** An inline `TTL: 2026-12-01` ends what it stands beside, wherever it stands. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { extracting, gating, turnOf } from '../support/capture-turns.ts';

const capturedOf = (content: string) =>
  extractCandidates([...gatedPieces(turnOf(content), gating)], extracting);
const keptOf = (content: string) =>
  capturedOf(content).going.flatMap((each) =>
    each.kind === 'fact' ? [[each.class, each.content, each.valid_until?.slice(0, 10)]] : [],
  );

describe('a TTL', () => {
  it.each([
    'The staging cluster is frozen. TTL: 2026-12-01',
    'The staging cluster is frozen.\nTTL: 2026-12-01.',
    'The staging cluster is frozen (TTL: 2026-12-01).',
    'The staging cluster is frozen [ttl 2026-12-01]',
    'The staging cluster is frozen, TTL=2026-12-01.',
    'TTL: 2026-12-01\nThe staging cluster is frozen.',
    'TTL: 2026-12-01 The staging cluster is frozen.',
    '- The staging cluster is frozen. TTL: 2026-12-01',
    'The staging cluster is frozen. TTL: 195d',
    'The staging cluster is frozen.\nTTL: 195d',
  ])('ends %j with its day', (content) => {
    expect(keptOf(content)).toEqual([['state', 'The staging cluster is frozen.', '2026-12-02']]);
  });

  it('ends what is no state as well, and leaves it what it is', () => {
    expect(keptOf('My desk is 4B. TTL: 2026-06-01')).toEqual([
      ['fact', "Ada's desk is 4B.", '2026-06-02'],
    ]);
    expect(keptOf('Never deploy on Fridays. TTL: 2w')).toEqual([
      ['rule', 'Never deploy on Fridays.', '2026-06-04'],
    ]);
  });

  it('is of the statement before it alone', () => {
    expect(keptOf('My desk is 4B. I live in Rome. TTL: 2026-06-01')).toEqual([
      ['fact', "Ada's desk is 4B.", undefined],
      ['fact', 'Ada lives in Rome.', '2026-06-02'],
    ]);
  });

  it.each([
    'Is the cluster frozen? TTL: 2026-12-01',
    'Thanks! TTL: 2026-12-01',
    'TTL: 2026-12-01',
    'We set the session TTL: 7d in production.',
    'The staging cluster is frozen. TTL: soon',
  ])('makes nothing of %j', (content) => expect(keptOf(content)).toEqual([]));

  it.each([
    'My desk is 4B. TTL: 2026-13-45',
    'My desk is 4B. TTL: 2026-02-30',
    'My desk is 4B (TTL: 0d).',
    'My desk is 4B.\nTTL: 0w',
    'The staging cluster is frozen. TTL: 2026-04-31',
  ])('that there is not declines %j, and says so', (content) => {
    const { going, settled } = capturedOf(content);
    expect(going).toEqual([]);
    expect(settled.map(({ reason }) => reason)).toEqual(['impossible_ttl']);
  });

  it('is in the piece that the receipt names', () => {
    const said = 'Hello. The cluster is frozen. TTL: 2026-12-01';
    const [only] = capturedOf(said).going;
    expect(said.slice(only?.start, only?.end)).toBe('The cluster is frozen. TTL: 2026-12-01');
  });
});

describe('a day that a statement names', () => {
  it.each([
    ['I need Clara to send the report by Friday.', '2026-05-22'],
    ['I am off work until Friday because I am in bed.', '2026-05-22'],
    ['We decided to serve the lasagne on Friday.', '2026-05-22'],
    ['I booked a table at Luigi for Friday.', '2026-05-22'],
    ['I moved to Rome on Friday.', '2026-05-15'],
    ['We decided on Friday to move to Rome.', '2026-05-15'],
  ])('is the one that %j means', (content, day) => {
    expect(keptOf(content)[0]?.[1]).toContain(`Friday (${day})`);
  });
});
