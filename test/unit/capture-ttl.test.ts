/** An inline `TTL: 2026-12-01` ends what it stands beside, wherever it stands. */
import { describe, expect, it } from 'vitest';
import { gatedPieces } from '../../src/capture/1-gate.ts';
import { extractCandidates } from '../../src/capture/2-extract.ts';
import { hasTtl, isTtlImpossible } from '../../src/capture/times/ttl.ts';
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

  it.each([
    ['12h', '2026-05-20T22:00:00.000Z'],
    ['90 minutes', '2026-05-20T11:30:00.000Z'],
    ['3 days', '2026-05-24T00:00:00.000Z'],
    ['2 weeks', '2026-06-04T00:00:00.000Z'],
    ['1 month', '2026-06-21T00:00:00.000Z'],
    ['2026-12-01T10:00:00Z', '2026-12-01T10:00:00.000Z'],
    ['2026-12-01T10:00:00.500+02:00', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01 10:00', '2026-12-01T10:00:00.000Z'],
    ['2026-12', '2027-01-01T00:00:00.000Z'],
    ['01.12.2026', '2026-12-02T00:00:00.000Z'],
    ['1.12.2026', '2026-12-02T00:00:00.000Z'],
    ['tomorrow', '2026-05-22T00:00:00.000Z'],
    ['end of June', '2026-07-01T00:00:00.000Z'],
  ])('of %j is kept to', (ttl, end) => {
    for (const beside of [`. TTL: ${ttl}`, `. TTL: ${ttl}.`, ` (TTL: ${ttl}).`, `.\nTTL: ${ttl}`]) {
      const [only] = capturedOf(`I live in Graz${beside}`).going;
      expect([only?.kind === 'fact' && only.content, only?.valid_until]).toEqual([
        'Ada lives in Graz.',
        end,
      ]);
    }
  });

  it.each(['never', 'none'])('of %j is no end', (ttl) => {
    const [only] = capturedOf(`I live in Graz. TTL: ${ttl}`).going;
    expect([only?.kind === 'fact' && only.content, only?.valid_until]).toEqual([
      'Ada lives in Graz.',
      null,
    ]);
  });

  it.each([
    '-5d',
    '99999999d',
    '1e3d',
    '5',
    '3m',
    'soon',
    '2026-13',
    '31.02.2026',
    '2026-12-01T25:00Z',
  ])('of %j declines what it stands beside', (ttl) => {
    for (const beside of [`. TTL: ${ttl}`, `.\nTTL: ${ttl}.`, ` (TTL: ${ttl}).`]) {
      const { going, settled } = capturedOf(`I live in Graz${beside}`);
      expect([going, settled.map(({ reason }) => reason)]).toEqual([[], ['impossible_ttl']]);
    }
  });

  it('is none where it tells of a setting', () => {
    const [only] = capturedOf('Our record is a CNAME, TTL: 300').going;
    expect(only?.valid_until ?? null).toBe(null);
    for (const text of ['We keep a TTL of 7d.', 'We set the session TTL: 7d in production.'])
      expect([hasTtl(text), isTtlImpossible(text)]).toEqual([false, false]);
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
