/**
 * Approve and reject, cut off at every statement: all of it or nothing, and repeated it finishes.
 */
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { canonicalJson } from '../../src/cxri/payload.ts';
import type { SettleRequest } from '../../src/cxri/ports/proposals.ts';
import { parseUuid, type Uuid } from '../../src/model/ids.ts';
import type { ProposedAction } from '../../src/model/proposal.ts';
import { newKey, signed } from '../support/approvals.ts';
import { type Cut, cutOff } from '../support/cut-off.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('killed');
const SCOPE = id(0, 0);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describeOnDatabases('a settlement that is cut off', (open) => {
  let opened: TestDatabase;
  let authority: Authority;
  const key = newKey();
  let made = 0;
  beforeAll(async () => {
    opened = await open();
    authority = pgvectorAuthority(opened.database);
    const request = { tenant: TENANT, writer: WRITER, recorded_at: day(1) };
    await authority.write({ ...request, operations: [makeScope(SCOPE)] });
    const by = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) };
    const carol = { action: 'set', principal: 'carol', kind: 'human', scopes: '*' } as const;
    await authority.changeRights(TENANT, { ...carol, tiers: {} }, by);
    await authority.changeRights(
      TENANT,
      { action: 'add_key', principal: 'carol', public_key: key.publicKey, key_id: key.keyId },
      by,
    );
  });

  const nextId = (): Uuid => {
    made += 1;
    return parseUuid(`00000000-0000-4000-8000-${String(made).padStart(12, '0')}`, 'id');
  };

  /**
   * A write with a source in another scope's row would be no other; a right is written by itself.
   */
  async function propose(kind: 'write' | 'rights') {
    const uuid = nextId();
    const operation = {
      operation: 'ADD',
      table: 'memory_open_set',
      scope: SCOPE,
      uuid,
      valid_from: day(0),
      content: factContent(`fact ${uuid}`),
    } as const;
    const change = {
      action: 'set',
      principal: uuid,
      kind: 'human',
      tiers: {},
      scopes: [],
    } as const;
    const action: ProposedAction = {
      version: 2,
      tenant: TENANT,
      database: await authority.databaseId(TENANT),
      proposal: nextId(),
      kind,
      key: 'writes',
      tier: 'T3',
      proposer: 'bot',
      on_behalf_of: null,
      writer: 'test',
      proposed_at: day(10),
      expires_at: day(17),
      scopes: kind === 'write' ? [SCOPE] : [],
      operations: kind === 'write' ? [operation] : [],
      decisions: kind === 'write' ? [{ decision: 'T3', manifest_digest: null }] : [],
      must_be_new: [],
      seed: null,
      versions: [],
      targets: [],
      heads: [],
      include_scopes: [],
      change: kind === 'rights' ? change : null,
    };
    const text = canonicalJson(action);
    return authority.propose(TENANT, {
      action: text,
      digest: sha256(text),
      fingerprint: sha256(`${text} `),
    });
  }

  /** All that a settlement changes. */
  async function state(): Promise<string> {
    const { position, policy_epoch: epoch } = await pgvectorAuthority(
      cutOff(opened.database, { at: 0, when: 'before', statements: 0 }),
    ).heads(TENANT, [SCOPE]);
    const all = { all: true, uuids: new Set<Uuid>() };
    const proposals = await authority.listProposals(TENANT, { state: null, limit: 1000 }, all);
    const states = proposals.map((each) => [each.proposal_uuid, each.state]);
    const principals = await authority.listPrincipals(TENANT);
    const names = principals.map(({ principal }) => principal);
    return JSON.stringify([position, epoch, states, names, await authority.auditHead(TENANT)]);
  }

  it.each([
    ['approve', 'write'],
    ['approve', 'rights'],
    ['reject', 'write'],
  ] as const)('%s of a %s is whole or absent', async (decision, kind) => {
    let longest = 0;
    for (const when of ['before', 'after'] as const)
      for (let at = 1; ; at += 1) {
        const { proposal_uuid: proposal, digest } = await propose(kind);
        const request: SettleRequest = {
          tenant: TENANT,
          proposal,
          decision,
          by: { principal: 'carol', kind: 'human', on_behalf_of: null, is_owner: false },
          at: day(11),
          signed: signed(digest, key),
        };
        const before = await state();
        const cut: Cut = { at, when, statements: 0 };
        const ended = await pgvectorAuthority(cutOff(opened.database, cut))
          .settleProposal(request)
          .then(
            () => 'settled',
            () => 'cut off',
          );
        longest = Math.max(longest, cut.statements);
        if (cut.statements < at) {
          expect(ended).toBe('settled');
          break;
        }
        expect(ended, `statement ${at}`).toBe('cut off');
        expect(await state(), `statement ${at}, cut ${when}`).toBe(before);
        const { state: becomes } = await authority.settleProposal(request);
        expect(becomes).toBe(decision === 'approve' ? 'approved' : 'rejected');
        expect(await state()).not.toBe(before);
      }
    expect(longest).toBeGreaterThanOrEqual(3);
  });
});
