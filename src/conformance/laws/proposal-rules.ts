/** Laws of what a proposal is held to until it is settled, and of redactions that wait. */
import assert from 'node:assert/strict';
import type { ErrorCode } from '../../codes/errors.ts';
import type { StoredRights } from '../../model/permission.ts';
import { MAX_WAITING_PROPOSALS, type ProposedAction } from '../../model/proposal.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, updateFact } from '../law-operations.ts';
import { forgetBlock } from './erasure.ts';
import { type Bench, bench, propose, settle } from './proposals.ts';

const root = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(2) };

const aFact = ({ lab, scope }: Bench, text = 'said') =>
  addFact({ scope, uuid: lab.id() }, factContent(text));

/** A fact that is there, and the redaction of it. */
async function aRedaction(on: Bench) {
  const { lab, connection, scope } = on;
  const uuid = lab.id();
  await lab.write(connection, [addFact({ scope, uuid }, factContent('xanadu'))]);
  const of = {
    operations: [],
    kind: 'redaction',
    key: 'redactions',
    targets: [{ scope, root_uuid: uuid, versions: [uuid] }],
    redaction: {
      redaction: lab.id(),
      kind: 'root',
      value: uuid,
      within: null,
      grace_days: 30,
    },
  } as const satisfies Partial<ProposedAction>;
  return { uuid, of };
}

async function refusedWith(lab: Lab, change: StoredRights['tiers'] | null): Promise<void> {
  const on = await bench(lab);
  const set = { action: 'set', principal: 'bot', kind: 'agent', scopes: '*' } as const;
  await on.connection.changeRights(lab.tenant, { ...set, tiers: {} }, root);
  const { proposal_uuid: id } = await propose(on, { operations: [aFact(on)] });
  await on.connection.changeRights(
    lab.tenant,
    change ? { ...set, tiers: change } : { action: 'disable', principal: 'bot' },
    root,
  );
  await lab.refused(on.connection.settleProposal(settle(on, id)), 'PERMISSION.DENIED');
}

export const proposalRules: readonly Law[] = [
  {
    name: 'a proposal that links to what has moved, or ends a scope that did, is in conflict',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope } = on;
      const uuid = lab.id();
      await lab.write(connection, [addFact({ scope, uuid }, factContent('there'))]);
      for (const moved of [
        { targets: [{ scope, root_uuid: uuid, versions: [lab.id()] }] },
        { targets: [{ scope, root_uuid: lab.id(), versions: [lab.id()] }] },
        { heads: [{ scope, head: 1 }] },
      ]) {
        const { proposal_uuid: id } = await propose(on, { operations: [aFact(on)], ...moved });
        const settled = await connection.settleProposal(settle(on, id));
        assert.deepEqual(settled, { state: 'conflict', result: null });
      }
      const still = { targets: [{ scope, root_uuid: uuid, versions: [uuid] }] };
      const { proposal_uuid: id } = await propose(on, { operations: [aFact(on)], ...still });
      assert.equal((await connection.settleProposal(settle(on, id))).state, 'approved');
    },
  },
  {
    name: 'of a root of which a version was forgotten, what is left can be proposed and approved',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope } = on;
      const [first, second, third] = [lab.id(), lab.id(), lab.id()];
      await lab.write(connection, [addFact({ scope, uuid: first }, factContent('xanadu'))]);
      await lab.write(connection, [
        updateFact({ scope, uuid: second }, factContent('kubla'), { root: first, from: 5 }),
      ]);
      await connection.forget({ ...forgetBlock(lab, first), kind: 'version' });
      const versions = [
        {
          scope,
          table: 'memory_open_set' as const,
          root_uuid: first,
          key: null,
          versions: [second],
        },
      ];
      const operations = [
        updateFact({ scope, uuid: third }, factContent('khan'), { root: first, from: 12 }),
      ];
      const { proposal_uuid: id } = await propose(on, { operations, versions });
      const settled = await connection.settleProposal(settle(on, id));
      assert.equal(settled.state, 'approved');
      assert.equal(settled.result?.counts.superseded, 1);
      await connection.forget({ ...forgetBlock(lab, first), kind: 'root' });
      const again = [
        updateFact({ scope, uuid: lab.id() }, factContent('xanadu'), { root: first, from: 14 }),
      ];
      await lab.refused(propose(on, { operations: again }), 'WRITE.REFUSED', 'WRITE.NOT_FOUND');
    },
  },
  {
    name: 'what the proposer has lost since, nobody approves',
    needs: ['authority'],
    check: async (lab) => {
      await refusedWith(lab, { writes: 'excluded' });
    },
  },
  {
    name: 'nothing is approved of a proposer who is disabled',
    needs: ['authority'],
    check: async (lab) => {
      await refusedWith(lab, null);
    },
  },
  {
    name: 'a signature serves in the database alone where the action was proposed',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const of = { operations: [aFact(on)], tier: 'T3', database: 'f'.repeat(64) } as const;
      const { proposal_uuid: id, digest } = await propose(on, of);
      const signed = on.sign(digest);
      await lab.refused(
        on.connection.settleProposal(settle(on, id, { signed })),
        'PERMISSION.SIGNATURE_INVALID',
      );
    },
  },
  {
    name: 'of one proposer a hundred proposals wait for a scope, and no more',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      for (let n = 0; n < MAX_WAITING_PROPOSALS; n += 1)
        await propose(on, { operations: [aFact(on, `said ${n}`)] });
      const code: ErrorCode = 'PERMISSION.TOO_MANY_PROPOSALS';
      await lab.refused(propose(on, { operations: [aFact(on, 'one more')] }), code);
      await propose(on, { operations: [aFact(on, 'of another')], proposer: 'other' });
      const scope = await lab.scope(on.connection);
      const elsewhere = { ...on, scope };
      await propose(elsewhere, { operations: [aFact(elsewhere, 'of another scope')] });
    },
  },
  {
    name: 'a redaction waits: nothing is forgotten before it is approved, all of it then',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection } = on;
      const { uuid, of } = await aRedaction(on);
      const { proposal_uuid: id } = await propose(on, of);
      assert.equal((await lab.versions(connection, [uuid])).length, 1);
      const settled = await connection.settleProposal(settle(on, id));
      assert.deepEqual(settled, { state: 'approved', result: null });
      assert.deepEqual(await lab.versions(connection, [uuid]), []);
      const [redaction] = await connection.listRedactions(lab.tenant, { limit: 10 });
      assert.equal(redaction?.redaction_uuid, of.redaction.redaction);
      assert.equal(redaction.principal, 'bot');
      assert.equal(redaction.erase_after, day(41));
      const audit = await connection.readAudit({ tenant: lab.tenant, after: 0, limit: 100 });
      assert.ok(audit.some(({ action, tier }) => action === 'forget.root' && tier === 'T2'));
    },
  },
  {
    name: 'a redaction of what has moved is in conflict, and forgets nothing',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope } = on;
      const { uuid, of } = await aRedaction(on);
      const targets = [{ scope, root_uuid: uuid, versions: [lab.id()] }];
      const { proposal_uuid: id } = await propose(on, { ...of, targets });
      const settled = await connection.settleProposal(settle(on, id));
      assert.deepEqual(settled, { state: 'conflict', result: null });
      assert.equal((await lab.versions(connection, [uuid])).length, 1);
    },
  },
];
