/**
 * A batch that stops in its middle: what is written has a receipt, what is left is written by
 * whoever goes on, and no piece is in two receipts.
 */
import { beforeEach, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { noCounts } from '../../src/model/capture.ts';
import { MAX_WAITING_PROPOSALS } from '../../src/model/proposal.ts';
import {
  AGENT,
  ALL_SCOPES,
  capture,
  makeWorld,
  memoryOf,
  SESSION,
  say,
  TENANT,
  waitingOf,
} from '../support/capture-world.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf } from '../support/engines.ts';
import { OF_FRIENDS } from '../support/friends.ts';

const OF = { consumer: 'rules/9', scope_uuid: SESSION };
const user = (text: string) => ({ role: 'user', text }) as const;
/** Ten more of them than may wait. */
const MANY = OF_FRIENDS.slice(0, MAX_WAITING_PROPOSALS + 10).map(user);

describeOnDatabases('a capture in parts', (open) => {
  let authority: Authority;
  const listed = () =>
    authority.listCaptures(TENANT, { scope_uuid: SESSION, limit: 100 }, ALL_SCOPES);
  const rejectAll = async (): Promise<void> => {
    for (const proposal of (await waitingOf(authority)).values())
      await authority.settleProposal({
        ...{ tenant: TENANT, proposal, decision: 'reject', signed: null },
        at: (await authority.openCapture(TENANT, OF))?.planned_at ?? ('' as never),
        by: { principal: 'carol', kind: 'human', on_behalf_of: null, is_owner: true },
      });
  };

  beforeEach(async () => {
    authority = pgvectorAuthority((await open()).database);
    await makeWorld(authority);
  });

  it('leaves what its caller may not write to one who may', async () => {
    await say(authority, [
      user('I live in Rome.'),
      user('How are you?'),
      user('I am on holiday until 2027-03-20.'),
    ]);
    const lost = { ...authority, write: async () => Promise.reject(new Error('gone')) };
    await expect(capture(lost)).rejects.toThrow('gone');
    const narrow = { ...AGENT, principal: 'narrow', scopes: [SESSION] };
    const refusal = await refusalOf(capture(authority, { profile: narrow, minute: 5 }));
    expect(refusal.code).toBe('PERMISSION.DENIED');
    const [first] = await listed();
    expect(first).toMatchObject({
      counts: { ...noCounts(), declined: 1, quarantined: 1 },
      turns: 2,
    });
    // Nothing more is written, and nothing is told twice.
    await refusalOf(capture(authority, { profile: narrow, minute: 6 }));
    expect(await listed()).toEqual([first]);
    const { receipts } = await capture(authority, { minute: 7 });
    expect(receipts).toMatchObject([{ counts: { ...noCounts(), stored: 1 }, turns: 1 }]);
    expect(await listed()).toEqual([...receipts, first]);
  });

  it('is the same when it is killed at its split, and by two workers at once', async () => {
    await say(authority, [user('I live in Rome.'), ...MANY]);
    const lost = { ...authority, splitCapture: async () => Promise.reject(new Error('gone')) };
    await expect(capture(lost, { minute: 200 })).rejects.toThrow('gone');
    expect(await listed()).toEqual([]);
    const before = await memoryOf(authority);
    const both = await Promise.all([
      capture(authority, { minute: 201 }),
      capture(authority, { minute: 201 }),
    ]);
    expect(both.map(({ waiting }) => waiting?.code)).toEqual(
      both.map(() => 'CAPTURE.REVIEWS_WAIT'),
    );
    expect(await memoryOf(authority)).toEqual(before);
    const [first, ...more] = await listed();
    expect(more).toEqual([]);
    expect(first?.counts).toEqual({
      ...noCounts(),
      ...{ stored: 1, quarantined: MAX_WAITING_PROPOSALS },
    });
    await rejectAll();
    await Promise.all([capture(authority, { minute: 300 }), capture(authority, { minute: 300 })]);
    const all = await listed();
    expect(all.map(({ counted }) => counted)).toEqual([10, MAX_WAITING_PROPOSALS + 1]);
    const places = all.flatMap(({ candidates }) => candidates.map((each) => each.source_uuid));
    expect(new Set(places).size).toBe(places.length);
    expect(await authority.openCapture(TENANT, OF)).toBeNull();
  });

  it('leaves no word of a turn that is erased while it splits', async () => {
    await say(authority, [user('I live in Rome.'), ...MANY]);
    let isErased = false;
    const erasing: Authority = {
      ...authority,
      splitCapture: async (tenant, split) => {
        // As the trigger leaves the plan that is kept.
        isErased = true;
        const plan = { plan: { ...(split.plan as { plan: object }).plan, writes: [] } };
        const is = await authority.splitCapture(tenant, { ...split, plan });
        expect(is).toBe(false);
        return is;
      },
    };
    const { receipts } = await capture(erasing, { minute: 200 });
    expect(isErased).toBe(true);
    expect(receipts).toEqual([]);
    expect((await capture(authority, { minute: 201 })).receipts).toHaveLength(1);
  });
});
