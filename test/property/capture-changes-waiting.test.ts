/**
 * What became of something that waits for a review is proposed together with it: who approves
 * approves a history, in whatever order the reviews come, and one value is current afterwards.
 */
import { describe, expect, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { capture, makeWorld, memoryOf, say, TENANT, timeOf } from '../support/capture-world.ts';
import { type Fault, faulty } from '../support/faulty.ts';

const ALL = { all: true, uuids: new Set<Uuid>() } as const;
const user = (text: string) => ({ role: 'user', text }) as const;
const ROME = "Ada's sister lives in Rome.";
const LYON = "Ada's sister moved to Lyon.";
const OSLO = "Ada's sister moved to Oslo.";

async function talk(...texts: readonly string[]): Promise<Authority> {
  const authority = await createReferenceConnector().connect();
  await makeWorld(authority);
  await say(authority, texts.map(user));
  return authority;
}

/** Captured turn by turn: each run meets what the one before it proposed. */
async function captured(...texts: readonly string[]): Promise<Authority> {
  const authority = await talk();
  for (const [index, text] of texts.entries()) {
    await say(authority, [user(text)], { from: index + 1 });
    await capture(authority);
  }
  return authority;
}

const waiting = (authority: Authority) =>
  authority.listProposals(TENANT, { state: 'pending', limit: 100 }, ALL);

async function textsOf(authority: Authority): Promise<readonly (readonly string[])[]> {
  return (await waiting(authority)).map(({ action }) =>
    action.operations.map((each) =>
      'content' in each && 'content' in each.content
        ? String(each.content.content)
        : each.operation,
    ),
  );
}

const settle = (authority: Authority, proposal: Uuid, decision: 'approve' | 'reject') =>
  authority.settleProposal({
    ...{ tenant: TENANT, proposal, decision, at: timeOf(100_001), signed: null },
    by: { principal: 'local', kind: 'human', on_behalf_of: null, is_owner: true },
  });

async function approveAll(authority: Authority): Promise<void> {
  for (const { proposal_uuid: id } of await waiting(authority))
    expect((await settle(authority, id, 'approve')).state).toBe('approved');
}

/** Of the sister: what is said, from which minute until which. */
async function believed(authority: Authority): Promise<readonly string[]> {
  return (await memoryOf(authority)).flatMap((row) => {
    const { said, isBelieved, from, until } = JSON.parse(String(row));
    if (isBelieved !== true || !String(said).includes('sister')) return [];
    const minuteOf = (at: string | null): string =>
      at === null ? '' : String((Date.parse(at) - Date.parse(timeOf(0))) / 60_000);
    return [`${said} ${minuteOf(from)}-${minuteOf(until)}`];
  });
}

const MOVES = ['My sister lives in Rome.', 'My sister moved to Lyon.'] as const;
const HISTORY = [`${ROME} 1-2`, `${LYON} 2-`];

describe('a change of what waits', () => {
  it('is one proposal with it, said in one run or in two', async () => {
    const once = await talk(...MOVES);
    await capture(once);
    const twice = await captured(...MOVES);
    for (const authority of [once, twice]) {
      expect(await textsOf(authority)).toEqual([[ROME, LYON]]);
      await approveAll(authority);
      expect(await believed(authority)).toEqual(HISTORY);
    }
  });

  it('goes on from change to change, and beside other proposals', async () => {
    const authority = await captured(
      `${MOVES[0]} My landlord is called Falk.`,
      MOVES[1],
      'My sister moved to Oslo.',
    );
    expect((await textsOf(authority)).toSorted()).toEqual([
      ["Ada's landlord is called Falk."],
      [ROME, LYON, OSLO],
    ]);
    await approveAll(authority);
    expect(await believed(authority)).toEqual([`${ROME} 1-2`, `${LYON} 2-3`, `${OSLO} 3-`]);
  });

  it('is corrected before it has a review', async () => {
    const authority = await captured(...MOVES, 'Sorry, I meant Oslo, not Lyon.');
    expect(await textsOf(authority)).toEqual([[ROME, OSLO]]);
    await approveAll(authority);
    expect(await believed(authority)).toEqual([`${ROME} 1-2`, `${OSLO} 2-`]);
  });

  it('said again is known to wait', async () => {
    const authority = await captured(...MOVES, 'My sister lives in Lyon now.');
    expect(await textsOf(authority)).toEqual([[ROME, LYON]]);
  });

  it.each<['approve' | 'reject', readonly string[]]>([
    ['approve', HISTORY],
    ['reject', [`${LYON} 2-`]],
  ])('meets a reviewer who could %s the first while it was planned', async (decision, memory) => {
    const authority = await captured(MOVES[0]);
    await say(authority, [user(MOVES[1])], { from: 2 });
    const [first] = await waiting(authority);
    await capture({
      ...authority,
      planCapture: async (tenant, planned) => {
        const kept = await authority.planCapture(tenant, planned);
        if (first) await settle(authority, first.proposal_uuid, decision);
        return kept;
      },
    });
    expect(await textsOf(authority)).toEqual([[LYON]]);
    await approveAll(authority);
    expect(await believed(authority)).toEqual(memory);
  });

  it.each<[Fault]>([['before'], ['after']])(
    'dies %s any call, and is gone on with',
    async (fault) => {
      const world = async (): Promise<Authority> => {
        const authority = await captured(MOVES[0]);
        await say(authority, [user(MOVES[1]), user('My sister moved to Oslo.')], { from: 2 });
        return authority;
      };
      const right = await world();
      const counted = faulty(right, 0);
      await capture(counted.authority);
      const memory = await memoryOf(right);
      expect(await textsOf(right)).toEqual([[ROME, LYON, OSLO]]);
      for (let failAt = 1; failAt <= counted.calls(); failAt += 1) {
        const authority = await world();
        await capture(faulty(authority, failAt, fault).authority).catch(() => null);
        await capture(authority);
        expect(await memoryOf(authority), `${fault} call ${failAt}`).toEqual(memory);
      }
    },
  );

  it('is the same by two captures at once', async () => {
    const authority = await captured(MOVES[0]);
    await say(authority, [user(MOVES[1])], { from: 2 });
    await Promise.all([capture(authority), capture(authority)]);
    expect(await textsOf(authority)).toEqual([[ROME, LYON]]);
  });
});
