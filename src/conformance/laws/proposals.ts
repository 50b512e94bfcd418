/** Laws of proposals: nothing of them before they are approved, all of it then, and who may. */
import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { Authority } from '../../cxri/authority.ts';
import { canonicalJson } from '../../cxri/payload.ts';
import type { SettleRequest } from '../../cxri/ports/proposals.ts';
import type { Uuid } from '../../model/ids.ts';
import type { Operation } from '../../model/operation.ts';
import { approvalMessage, type JudgedVersions, type ProposedAction } from '../../model/proposal.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, removeFact } from '../law-operations.ts';

export const sha256 = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');
const ALL = { all: true, uuids: new Set<Uuid>() };

export interface Bench {
  readonly lab: Lab;
  readonly connection: Authority;
  readonly scope: Uuid;
  readonly sign: (digest: string) => { readonly key_id: string; readonly signature: string };
}

/** A scope, and `carol`, who holds `approvals` and a key. */
export async function bench(lab: Lab): Promise<Bench> {
  const connection = await lab.authority();
  const scope = await lab.scope(connection);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const by = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) };
  const carol = { action: 'set', principal: 'carol', kind: 'human', scopes: '*' } as const;
  await connection.changeRights(lab.tenant, { ...carol, tiers: { approvals: 'T1' } }, by);
  const key_id = sha256(raw);
  await connection.changeRights(
    lab.tenant,
    { action: 'add_key', principal: 'carol', public_key: raw.toString('hex'), key_id },
    by,
  );
  return {
    lab,
    connection,
    scope,
    sign: (digest) => ({
      key_id,
      signature: sign(null, Buffer.from(approvalMessage(digest)), privateKey).toString('hex'),
    }),
  };
}

export async function propose(
  { lab, connection, scope }: Bench,
  of: Partial<ProposedAction> & { readonly operations: readonly Operation[] },
  target?: string,
) {
  const action: ProposedAction = {
    version: 2,
    tenant: lab.tenant,
    database: await connection.databaseId(lab.tenant),
    proposal: lab.id(),
    kind: 'write',
    key: 'writes',
    tier: 'T2',
    proposer: 'bot',
    on_behalf_of: null,
    writer: 'law',
    proposed_at: day(10),
    expires_at: day(17),
    scopes: [scope],
    decisions: of.operations.map(() => ({ decision: 'T2', manifest_digest: null })),
    must_be_new: [],
    seed: null,
    versions: [],
    targets: [],
    heads: [],
    include_scopes: [],
    change: null,
    ...of,
  };
  const text = canonicalJson(action);
  const forgets = [action.redaction?.redaction ?? null, action.bring_back?.redaction ?? null];
  const fingerprint = sha256(canonicalJson([action.proposer, action.operations, forgets]));
  return connection.propose(lab.tenant, {
    ...{ action: text, digest: sha256(text), fingerprint },
    ...(target !== undefined && { target }),
  });
}

export const settle = (
  { lab }: Bench,
  proposal: Uuid,
  more: Partial<SettleRequest> = {},
): SettleRequest => ({
  tenant: lab.tenant,
  proposal,
  decision: 'approve',
  by: { principal: 'carol', kind: 'human', on_behalf_of: null, is_owner: false },
  at: day(11),
  signed: null,
  ...more,
});

const by = (
  principal: string,
  kind: 'human' | 'agent' = 'human',
  behalf: string | null = null,
) => ({
  by: { principal, kind, on_behalf_of: behalf, is_owner: false },
});

export const proposals: readonly Law[] = [
  {
    name: 'a proposal is not in the ledger; approved it is, as its proposer would have written it',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope } = on;
      const uuid = lab.id();
      const operations = [addFact({ scope, uuid }, factContent('said'))];
      const kept = await propose(on, { operations });
      assert.equal(kept.state, 'pending');
      const { position } = await connection.heads(lab.tenant, [scope]);
      assert.deepEqual(position, [{ scope, head: 1 }]);
      assert.deepEqual(await lab.versions(connection, [uuid]), []);
      const settled = await connection.settleProposal(settle(on, kept.proposal_uuid));
      assert.equal(settled.state, 'approved');
      assert.equal(settled.result?.counts.stored, 1);
      const [written] = await lab.versions(connection, [uuid]);
      assert.ok(written?.table === 'memory_open_set');
      assert.equal(written.row.provenance.approver_kind, 'human');
      const journal = await connection.readJournal({
        tenant: lab.tenant,
        scope,
        after: { seq: 1, ordinal: 0 },
        head: 10,
        limit: 10,
      });
      assert.deepEqual(
        journal.map(({ principal, decision }) => [principal, decision]),
        [['bot', 'T2']],
      );
    },
  },
  {
    name: 'the same proposal while it waits is the one that waits; after its end it is another',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const operations = [addFact({ scope: on.scope, uuid: lab.id() }, factContent('said'))];
      const one = await propose(on, { operations });
      assert.equal((await propose(on, { operations })).proposal_uuid, one.proposal_uuid);
      const late = { operations, proposed_at: day(18), expires_at: day(25) };
      const anew = await propose(on, late);
      assert.notEqual(anew.proposal_uuid, one.proposal_uuid);
      const states = async (state: 'pending' | 'expired') => {
        const found = await on.connection.listProposals(lab.tenant, { state, limit: 10 }, ALL);
        return found.map((each) => each.proposal_uuid);
      };
      assert.deepEqual(await states('pending'), [anew.proposal_uuid]);
      assert.deepEqual(await states('expired'), [one.proposal_uuid]);
    },
  },
  {
    name: 'a proposal whose versions moved is in conflict, and writes nothing',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope } = on;
      const uuid = lab.id();
      await lab.write(connection, [addFact({ scope, uuid }, factContent('first'))]);
      const judged = (versions: readonly Uuid[]): readonly JudgedVersions[] => [
        { scope, table: 'memory_open_set', root_uuid: uuid, key: null, versions },
      ];
      const operations = [removeFact(scope, uuid, { cause: 'correction', from: 1 })];
      const other = [...operations, addFact({ scope, uuid: lab.id() }, factContent('x'))];
      const moved = await propose(on, { operations: other, versions: judged([lab.id()]) });
      const settled = await connection.settleProposal(settle(on, moved.proposal_uuid));
      assert.deepEqual(settled, { state: 'conflict', result: null });
      const heads = await connection.heads(lab.tenant, [scope]);
      assert.deepEqual(heads.position, [{ scope, head: 2 }]);
      const still = await propose(on, { operations, versions: judged([uuid]) });
      const done = await connection.settleProposal(settle(on, still.proposal_uuid));
      assert.equal(done.state, 'approved');
    },
  },
  {
    name: 'another person than the proposer approves, T3 by a signature that is checked here, once',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope } = on;
      const operations = [addFact({ scope, uuid: lab.id() }, factContent('said'))];
      const { proposal_uuid: id, digest } = await propose(on, { operations, tier: 'T3' });
      const signed = on.sign(digest);
      const foreign = generateKeyPairSync('ed25519').privateKey;
      const message = Buffer.from(approvalMessage(digest));
      const other = sign(null, message, foreign).toString('hex');
      const refused: readonly Partial<SettleRequest>[] = [
        {},
        { signed: on.sign(sha256('another action')) },
        { signed: { ...signed, signature: other } },
        { signed: { ...signed, key_id: sha256('no key') } },
        { signed, ...by('bot') },
        { signed, ...by('carol', 'agent') },
        { signed, ...by('carol', 'human', 'root') },
        { signed, ...by('mallory') },
        { signed, at: day(17) },
      ];
      for (const more of refused)
        await lab.refused(
          connection.settleProposal(settle(on, id, more)),
          'PERMISSION.DENIED',
          'PERMISSION.SIGNATURE_INVALID',
          'PERMISSION.PROPOSAL_SETTLED',
        );
      const elsewhere = { ...settle(on, id, { signed }), tenant: lab.otherTenant };
      await lab.refused(connection.settleProposal(elsewhere), 'PERMISSION.PROPOSAL_NOT_FOUND');
      const settled = await connection.settleProposal(settle(on, id, { signed }));
      assert.equal(settled.state, 'approved');
      await lab.refused(
        connection.settleProposal(settle(on, id, { signed })),
        'PERMISSION.PROPOSAL_SETTLED',
      );
    },
  },
  {
    name: 'a disabled principal, and a revoked key, approve nothing; every change moves the epoch',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope, sign: signOf } = on;
      const root = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(2) };
      const epoch = async () => (await connection.heads(lab.tenant, [scope])).policy_epoch;
      const before = await epoch();
      const operations = [addFact({ scope, uuid: lab.id() }, factContent('said'))];
      const { proposal_uuid: id, digest } = await propose(on, { operations, tier: 'T3' });
      const signed = signOf(digest);
      await connection.changeRights(lab.tenant, { action: 'disable', principal: 'carol' }, root);
      assert.equal(await epoch(), before + 1);
      await lab.refused(connection.settleProposal(settle(on, id, { signed })), 'PERMISSION.DENIED');
      await connection.changeRights(lab.tenant, { action: 'enable', principal: 'carol' }, root);
      const revoked = { action: 'revoke_key', principal: 'carol', key_id: signed.key_id } as const;
      await connection.changeRights(lab.tenant, revoked, root);
      await lab.refused(
        connection.settleProposal(settle(on, id, { signed })),
        'PERMISSION.SIGNATURE_INVALID',
      );
      assert.equal(await epoch(), before + 3);
      const agent = { ...root, principal: 'root' };
      const set = {
        action: 'set',
        principal: 'carol',
        kind: 'agent',
        tiers: {},
        scopes: [],
      } as const;
      await lab.refused(
        connection.changeRights(lab.tenant, set, agent),
        'PERMISSION.RIGHTS_REFUSED',
      );
      const [carol] = await connection.listPrincipals(lab.tenant);
      assert.equal(carol?.kind, 'human');
      assert.deepEqual(carol?.keys, [{ key_id: signed.key_id, is_revoked: true }]);
    },
  },
  {
    name: 'proposals are listed to who holds all their scopes',
    needs: ['authority'],
    check: async (lab) => {
      const on = await bench(lab);
      const { connection, scope } = on;
      const far = await lab.scope(connection);
      const operations = [addFact({ scope, uuid: lab.id() }, factContent('said'))];
      await propose(on, { operations, scopes: [scope, far] });
      const seen = async (...uuids: Uuid[]): Promise<number> => {
        const held = { all: false, uuids: new Set(uuids) };
        const asked = { state: null, limit: 10 };
        return (await connection.listProposals(lab.tenant, asked, held)).length;
      };
      assert.deepEqual([await seen(), await seen(scope), await seen(far, scope)], [0, 0, 1]);
      assert.equal(
        (await connection.listProposals(lab.otherTenant, { state: null, limit: 9 }, ALL)).length,
        0,
      );
    },
  },
];
