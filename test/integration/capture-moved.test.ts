/**
 * Somebody changes a fact by hand after a capture has planned what takes its place: what they wrote
 * stands, and what was said is planned anew beside it. Here they come in between every time, and
 * the capture dies at every call that comes after.
 */
import { describe, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { CaptureResult } from '../../src/capture/capture.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { FactRow } from '../../src/model/block.ts';
import { parseUuid } from '../../src/model/ids.ts';
import {
  capture,
  makeWorld,
  memoryOf,
  say,
  TENANT,
  timeOf,
  USER,
} from '../support/capture-world.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { faulty } from '../support/faulty.ts';

const HAND = parseUuid('00000000-0000-4000-8000-0000000000ff', 'id');
const NOTE = 'Ada has talked to Dr. Bach about this.';

interface Talk {
  readonly said: readonly [before: string, after: string];
  /** Why the second takes the place of the first where nobody comes in between. */
  readonly why: string;
  readonly byHand: string;
  /** What becomes of the second beside that. */
  readonly outcome: 'stored' | 'quarantined';
}
const DESK: Talk = {
  said: ['I have a desk on the third floor.', 'I now have a desk on the fifth floor.'],
  why: 'takes_its_place',
  byHand: NOTE,
  outcome: 'stored',
};
const TALKS: readonly Talk[] = [
  DESK,
  {
    said: ['I live in Ghent.', 'I moved to Bruges.'],
    why: 'same_slot',
    byHand: NOTE,
    outcome: 'stored',
  },
  // What contradicts the words of somebody else waits for a review.
  {
    said: ['I speak Dutch.', 'I speak no Dutch.'],
    why: 'contradicts',
    byHand: 'Ada speaks Dutch.',
    outcome: 'quarantined',
  },
];

async function world(authority: Authority, { said: [before, after] }: Talk): Promise<Authority> {
  await makeWorld(authority);
  await say(authority, [{ role: 'user', text: before }]);
  await capture(authority, { minute: 2 });
  await say(authority, [{ role: 'user', text: after }], { from: 10 });
  return authority;
}

async function believed(authority: Authority): Promise<readonly FactRow[]> {
  const { position } = await authority.heads(TENANT, [USER]);
  const scan = { kind: 'scan', tenant: TENANT, position, limit: 100 } as const;
  const { rows } = await authority.read({ ...scan, table: 'memory_open_set' });
  return rows.flatMap(({ table, row }) =>
    table === 'memory_open_set' && row.retired_seq === null && row.valid_until === null
      ? [row]
      : [],
  );
}
const live = async (authority: Authority): Promise<readonly string[]> =>
  (await believed(authority)).map(({ content }) => content).sort();

/** As soon as the capture is planned, somebody writes. */
function changed(authority: Authority, write: (fact: FactRow) => Promise<unknown>): Authority {
  let isDone = false;
  return {
    ...authority,
    planCapture: async (tenant, planned) => {
      const kept = await authority.planCapture(tenant, planned);
      const [fact] = isDone ? [] : await believed(authority);
      isDone = true;
      if (fact) await write(fact);
      return kept;
    },
  };
}

const byHand = (authority: Authority, { byHand: content }: Talk): Authority =>
  changed(authority, ({ root_uuid, subject }) =>
    authority.write({
      tenant: TENANT,
      operations: [
        {
          operation: 'UPDATE',
          table: 'memory_open_set',
          scope: USER,
          root_uuid,
          uuid: HAND,
          cause: 'change',
          valid_from: timeOf(5),
          content: {
            content,
            subject,
            category: null,
            class: 'fact',
            importance: 0.5,
            confidence: 1,
            tags: [],
            metadata: {},
            provenance: {},
          },
        },
      ],
      writer: { principal: 'local', on_behalf_of: null, writer: 'test' },
      recorded_at: timeOf(11),
    }),
  );

const candidatesOf = ({ receipts }: CaptureResult) =>
  receipts.flatMap(({ candidates }) => candidates);

function addsUp({ receipts }: CaptureResult): void {
  for (const { counts, counted } of receipts)
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(counted);
}

async function stands(authority: Authority, result: CaptureResult, talk: Talk): Promise<void> {
  const { outcome, byHand: content } = talk;
  addsUp(result);
  expect(candidatesOf(result)).toMatchObject([{ outcome }]);
  const contents = await live(authority);
  expect(contents).toContain(content);
  expect(contents).toHaveLength(outcome === 'stored' ? 2 : 1);
}

const reference = async (talk: Talk): Promise<Authority> =>
  world(await createReferenceConnector().connect(), talk);

describe.each(TALKS)('$said', (talk) => {
  it(`takes its place where nobody comes in between: ${talk.why}`, async () => {
    const authority = await reference(talk);
    const result = await capture(authority);
    expect(candidatesOf(result)).toMatchObject([{ outcome: 'superseded', reason: talk.why }]);
    expect(await live(authority)).toHaveLength(1);
  });

  it('ends nothing that was written by hand in between, wherever it dies', async () => {
    const counted = faulty(byHand(await reference(talk), talk), 0);
    await stands(counted.authority, await capture(counted.authority), talk);
    const memory = await memoryOf(counted.authority);
    const planned = counted.log.indexOf('planCapture') + 1;
    for (const fault of ['before', 'after'] as const)
      for (let failAt = planned + 1; failAt <= counted.log.length; failAt += 1) {
        const authority = await reference(talk);
        await capture(faulty(byHand(authority, talk), failAt, fault).authority).catch(() => null);
        addsUp(await capture(authority));
        const name = `${fault} ${counted.log[failAt - 1]} (${failAt})`;
        expect(await memoryOf(authority), name).toEqual(memory);
        expect((await capture(authority)).receipts).toEqual([]);
      }
  });
});

describeOnDatabases('what is written by hand in between', (open) => {
  it.each(TALKS)('stands: $said', async (talk) => {
    await using opened = await open();
    const authority = await world(pgvectorAuthority(opened.database), talk);
    await stands(authority, await capture(byHand(authority, talk)), talk);
    const right = await reference(talk);
    await capture(byHand(right, talk));
    expect(await memoryOf(authority)).toEqual(await memoryOf(right));
  });

  it('stands where the capture dies and two workers go on', async () => {
    const talk = DESK;
    const counted = faulty(byHand(await reference(talk), talk), 0);
    await capture(counted.authority);
    // What was planned anew is written last.
    const failAt = counted.log.lastIndexOf('write') + 1;
    for (const fault of ['before', 'after'] as const) {
      await using opened = await open();
      const authority = await world(pgvectorAuthority(opened.database), talk);
      const dying = faulty(byHand(authority, talk), failAt, fault);
      expect(await capture(dying.authority).catch(() => 'died')).toBe('died');
      await Promise.all([capture(authority), capture(authority)]);
      expect(await live(authority)).toEqual(
        ['Ada now has a desk on the fifth floor.', NOTE].sort(),
      );
    }
  });
});
