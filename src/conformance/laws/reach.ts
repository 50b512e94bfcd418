/**
 * Laws of what a redaction reaches: it is told before it is forgotten or brought back, and a
 * proposal of it is held to what it was judged against.
 */
import assert from 'node:assert/strict';
import { digestOfTarget } from '../../cxri/keyed-digest.ts';
import type { RedactionReach } from '../../model/erasure.ts';
import type { Uuid } from '../../model/ids.ts';
import type { ProposedAction, ProposedRedaction } from '../../model/proposal.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addBlock, addFact, blockContent, day, factContent } from '../law-operations.ts';
import { type Bench, bench, propose, settle, sha256 } from './proposals.ts';

const WORDS = 'xanadu seven';

interface Told extends Bench {
  readonly turn: Uuid;
  /** Made from the turn. */
  readonly fact: Uuid;
}

async function tell(lab: Lab): Promise<Told> {
  const on = await bench(lab);
  const { connection, scope } = on;
  const [turn, fact] = [lab.id(), lab.id()];
  const said = [
    addBlock({ scope, uuid: turn }, blockContent(`the code is ${WORDS}`)),
    addBlock({ scope, uuid: lab.id() }, blockContent('good morning')),
  ];
  await lab.write(connection, said);
  const made = addFact({ scope, uuid: fact }, factContent('there is a code'), { sources: [turn] });
  await lab.write(connection, [made]);
  return { ...on, turn, fact };
}

const reachOf = ({ lab, connection }: Bench, scopes: readonly Uuid[] | null) =>
  connection.reachOf({
    ...{ tenant: lab.tenant, kind: 'text', value: WORDS, scopes },
    ...{ has_questions: true, has_proposals: true },
  });

const digestOf = (...uuids: readonly Uuid[]): string => sha256([...uuids].sort().join());

/** The proposal to forget the words, as the engine makes one. */
async function proposeWords(
  on: Bench,
  reach: RedactionReach,
  more: Partial<ProposedRedaction> = {},
) {
  const { lab, connection, scope } = on;
  const key = await connection.digestKey(lab.tenant);
  const redaction: ProposedRedaction = {
    redaction: lab.id(),
    kind: 'text',
    value: digestOfTarget(key, { kind: 'text', value: WORDS }),
    within: [scope],
    grace_days: 30,
    is_now: false,
    reach: { counts: reach.counts, digest: reach.digest },
    ...more,
  };
  const of = { operations: [], kind: 'redaction', key: 'redactions', redaction } as const;
  return { of, redaction: redaction.redaction, kept: await propose(on, of, WORDS) };
}

const isSeen = async ({ lab, connection }: Bench, uuid: Uuid): Promise<boolean> =>
  (await lab.versions(connection, [uuid])).length === 1;

const forgetting = ({ lab, scope }: Bench) => ({
  ...{ tenant: lab.tenant, kind: 'text' as const, value: WORDS, scopes: [scope] },
  ...{ redaction: lab.id(), at: day(10), erase_after: day(40) },
  ...{ principal: 'law', on_behalf_of: null, tier: 'T1' as const },
});

export const reach: readonly Law[] = [
  {
    name: 'what a target would reach is told with what was made from it, and nothing is changed',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { scope, turn, fact } = on;
      for (const scopes of [null, [scope]])
        assert.deepEqual(await reachOf(on, scopes), {
          scopes: [scope],
          is_whole: false,
          counts: { blocks: 1, context_links: 1, memory_open_set: 1 },
          digest: (await reachOf(on, [scope])).digest,
        });
      assert.ok((await isSeen(on, turn)) && (await isSeen(on, fact)));
      const other = await lab.scope(on.connection);
      assert.deepEqual((await reachOf(on, [other])).counts, {});
      assert.deepEqual(await on.connection.listRedactions(lab.tenant, { limit: 9 }), []);
    },
  },
  {
    name: 'what is out of sight is not told of; what a redaction took is, until it is erased',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { connection, scope } = on;
      const before = await reachOf(on, null);
      const request = forgetting(on);
      await connection.forget(request);
      assert.deepEqual(await reachOf(on, null), {
        ...{ scopes: [], is_whole: false, counts: {}, digest: digestOf() },
      });
      const taken = await connection.reachOfRedaction(lab.tenant, request.redaction);
      assert.equal(taken?.digest, before.digest);
      assert.deepEqual(taken.scopes, [scope]);
      const { tenant, redaction, principal, on_behalf_of, tier } = request;
      await connection.erase({ tenant, redaction, principal, on_behalf_of, tier, at: day(20) });
      assert.equal(await connection.reachOfRedaction(lab.tenant, redaction), null);
    },
  },
  {
    name: 'a text that waits to be forgotten stands beside its proposal until it is settled',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { connection, turn, fact } = on;
      const { kept, redaction } = await proposeWords(on, await reachOf(on, null));
      assert.equal(kept.target, WORDS);
      assert.ok(!JSON.stringify(kept.action).includes(WORDS));
      const settled = await connection.settleProposal(settle(on, kept.proposal_uuid));
      assert.deepEqual(settled, { state: 'approved', result: null });
      assert.ok(!(await isSeen(on, turn)) && !(await isSeen(on, fact)));
      const [forgotten] = await connection.listRedactions(lab.tenant, { limit: 9 });
      assert.equal(forgotten?.redaction_uuid, redaction);
      const asked = { state: null, limit: 9, id: kept.proposal_uuid };
      const all = { all: true, uuids: new Set<Uuid>() };
      const [after] = await connection.listProposals(lab.tenant, asked, all);
      assert.deepEqual([after?.state, after?.target], ['approved', null]);
    },
  },
  {
    name: 'a text that waits longer than its proposal may is dropped with it',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { kept } = await proposeWords(on, await reachOf(on, null));
      assert.equal(await on.connection.lapseProposals(lab.tenant, day(16)), 0);
      assert.equal(await on.connection.lapseProposals(lab.tenant, day(17)), 1);
      const asked = { state: null, limit: 9, id: kept.proposal_uuid };
      const all = { all: true, uuids: new Set<Uuid>() };
      const [after] = await on.connection.listProposals(lab.tenant, asked, all);
      assert.deepEqual([after?.state, after?.target], ['expired', null]);
    },
  },
  {
    name: 'what came or went since it was proposed makes a redaction a conflict',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { connection, scope, turn } = on;
      const { kept } = await proposeWords(on, await reachOf(on, null));
      const more = addBlock({ scope, uuid: lab.id() }, blockContent(`${WORDS} again`));
      await lab.write(connection, [more]);
      assert.deepEqual(await connection.settleProposal(settle(on, kept.proposal_uuid)), {
        state: 'conflict',
        result: null,
      });
      assert.ok(await isSeen(on, turn));
      assert.deepEqual(await connection.listRedactions(lab.tenant, { limit: 9 }), []);
    },
  },
  {
    name: 'what is forgotten ends a proposal whose rows it takes, and its words',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { connection, turn } = on;
      const { kept } = await proposeWords(on, await reachOf(on, null));
      await connection.forget({
        ...{ tenant: lab.tenant, redaction: lab.id(), kind: 'root', value: turn, scopes: null },
        ...{ principal: 'carol', on_behalf_of: null, tier: 'T1' },
        ...{ at: day(11), erase_after: day(41) },
      });
      const asked = { state: null, limit: 9, id: kept.proposal_uuid };
      const all = { all: true, uuids: new Set<Uuid>() };
      const [after] = await connection.listProposals(lab.tenant, asked, all);
      assert.deepEqual([after?.state, after?.target], ['conflict', null]);
    },
  },
  {
    name: 'a redaction names the words of its digest, and no less than its scopes',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const reached = await reachOf(on, null);
      const { of } = await proposeWords(on, reached);
      const other = await lab.scope(on.connection);
      const next = () => ({ ...of.redaction, redaction: lab.id() });
      const refused: readonly (readonly [Partial<ProposedAction>, string | undefined])[] = [
        [{}, 'other words'],
        [{}, undefined],
        [{ scopes: [other] }, WORDS],
        [{ scopes: [] }, WORDS],
        [{ key: 'writes' }, WORDS],
        [{ redaction: { ...next(), kind: 'tenant', value: '', within: null } }, undefined],
        [{ redaction: { ...next(), kind: 'scope', value: other } }, undefined],
      ];
      for (const [more, words] of refused)
        await lab.refused(
          propose(on, { ...of, redaction: next(), ...more }, words),
          'WRITE.REFUSED',
        );
    },
  },
  {
    name: 'erased with its approval, a redaction has its certificate',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { connection } = on;
      const reached = await reachOf(on, null);
      const { kept, redaction } = await proposeWords(on, reached, { is_now: true });
      const settled = await connection.settleProposal(settle(on, kept.proposal_uuid));
      assert.equal(settled.state, 'approved');
      assert.equal(settled.certificate?.redaction, redaction);
      assert.deepEqual(
        await connection.loadCertificate(lab.tenant, redaction),
        settled.certificate,
      );
    },
  },
  {
    name: 'bringing back waits, and is in conflict where it is back or erased',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await tell(lab);
      const { connection, turn, fact } = on;
      const request = forgetting(on);
      const { redaction } = request;
      await connection.forget(request);
      const taken = await connection.reachOfRedaction(lab.tenant, redaction);
      assert.ok(taken);
      const { counts, digest } = taken;
      const back = { redaction, target_kind: 'text', reach: { counts, digest } } as const;
      const of = { operations: [], kind: 'return', key: 'redactions', bring_back: back } as const;
      const { proposal_uuid: id } = await propose(on, of);
      const { proposal_uuid: again } = await propose(on, { ...of, proposer: 'other' });
      assert.ok(!(await isSeen(on, turn)));
      const settled = await connection.settleProposal(settle(on, id));
      assert.equal(settled.brought_back?.state, 'brought_back');
      assert.ok((await isSeen(on, turn)) && (await isSeen(on, fact)));
      const late = await connection.settleProposal(settle(on, again));
      assert.deepEqual(late, { state: 'conflict', result: null });
    },
  },
];
