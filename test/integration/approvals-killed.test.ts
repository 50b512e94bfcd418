/**
 * Approve and reject, cut off at every statement: all of it or nothing, and repeated it finishes.
 */
import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { digestOfTarget } from '../../src/cxri/keyed-digest.ts';
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
  let last = id(0, 0);
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
  async function propose(what: 'write' | 'rights' | 'forget' | 'erase' | 'return') {
    if (what !== 'write' && what !== 'rights') return proposeForgetting(what);
    const kind = what;
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

  /** A fact that is to be forgotten by its words, or that was and is to come back. */
  async function proposeForgetting(what: 'forget' | 'erase' | 'return') {
    last = nextId();
    const text = `words of ${last}`;
    const content = factContent(text);
    const operation = { operation: 'ADD', table: 'memory_open_set', scope: SCOPE } as const;
    const request = { tenant: TENANT, writer: WRITER, recorded_at: day(2) };
    const fact = { ...operation, uuid: last, valid_from: day(0), content } as const;
    await authority.write({ ...request, operations: [fact] });
    const named = { tenant: TENANT, kind: 'text', value: text, scopes: [SCOPE] } as const;
    const redaction = nextId();
    const by = { principal: 'root', on_behalf_of: null, tier: 'T1' } as const;
    if (what === 'return')
      await authority.forget({ ...named, redaction, at: day(3), erase_after: day(33), ...by });
    const reach = await (what === 'return'
      ? authority.reachOfRedaction(TENANT, redaction)
      : authority.reachOf({ ...named, has_questions: true, has_proposals: true }));
    if (!reach) throw new Error('nothing was forgotten');
    const { counts, digest } = reach;
    const value = digestOfTarget(await authority.digestKey(TENANT), named);
    const asked = {
      ...{ redaction, kind: 'text', value, within: [SCOPE], grace_days: 30 },
      ...{ is_now: what === 'erase', reach: { counts, digest } },
    } as const;
    const back = { redaction, target_kind: 'text', reach: { counts, digest } } as const;
    const action = JSON.stringify({
      ...{ version: 2, tenant: TENANT, database: await authority.databaseId(TENANT) },
      ...{ proposal: nextId(), kind: what === 'return' ? 'return' : 'redaction' },
      ...{ key: 'redactions', tier: 'T3', proposer: 'bot', on_behalf_of: null, writer: 'test' },
      ...{ proposed_at: day(10), expires_at: day(17), scopes: [SCOPE], operations: [] },
      ...{ decisions: [], must_be_new: [], seed: null, versions: [], targets: [], heads: [] },
      ...{ include_scopes: [], change: null },
      ...(what === 'return' ? { bring_back: back } : { redaction: asked }),
    });
    return authority.propose(TENANT, {
      ...{ action, digest: sha256(action), fingerprint: sha256(`${action} `) },
      ...(what !== 'return' && { target: text }),
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
    const redactions = await authority.listRedactions(TENANT, { limit: 1000 });
    const certified = await Promise.all(
      redactions.map(({ redaction_uuid: uuid }) => authority.loadCertificate(TENANT, uuid)),
    );
    const fact = { kind: 'versions', tenant: TENANT, scopes: '*', uuids: [last] } as const;
    const { rows } = await authority.read(fact);
    const ofRights = [names, await authority.auditHead(TENANT)];
    return JSON.stringify([position, epoch, states, redactions, certified, rows, ...ofRights]);
  }

  it.each([
    ['approve', 'write'],
    ['approve', 'rights'],
    ['reject', 'write'],
    ['approve', 'forget'],
    ['approve', 'erase'],
    ['approve', 'return'],
    ['reject', 'erase'],
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
