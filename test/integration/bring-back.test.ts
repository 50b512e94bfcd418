/** What was forgotten comes back as it was, on every path, until its grace period is over. */
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { ForgetTarget } from '../../src/engine/methods/forget-surface.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { parseTenant, type ScopeUuid } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { day } from '../support/ledger.ts';

const TENANT = parseTenant('local');
const DAY_MS = 86_400_000;
const profile = (principal: string, more: Partial<PermissionProfile> = {}): PermissionProfile => ({
  ...{ principal, tenant: TENANT, kind: 'human', scopes: '*' },
  ...more,
});
const PROFILE = profile('local');

describeOnDatabases('bringing back', (open) => {
  const time: TestClock = { ms: START_MS };
  let opened: TestDatabase;
  let engine: ContextEngine;

  beforeAll(async () => {
    opened = await open();
    const rights = { action: 'set', kind: 'human', scopes: '*' } as const;
    const by = { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) };
    const tiers = { redactions: 'T1', grants: 'T1', deletes: 'T1', approvals: 'T1' } as const;
    if (opened.url !== null)
      await pgvectorAuthority(opened.database).changeRights(
        TENANT,
        { ...rights, principal: 'local', tiers },
        by,
      );
    const database = opened.url === null ? { inMemory: true as const } : { url: opened.url };
    engine = await openEngine({
      ...{ database, time, manifests: 'manifests', permission_profile: PROFILE },
    });
    return () => engine.close();
  });

  const compose = (scope: ScopeUuid, query: string) =>
    engine.composeBlockContext({
      ...{ scope_block_uuid: scope, intent: 'follow_up', query, permission_profile: PROFILE },
    });

  /** A turn, what was made of it, and what stays; written for a reason. */
  async function plant(canary: string) {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    time.ms += 60_000;
    const { receipts } = await engine.append(scope, [
      { content: `A ${canary} flew over the harbour.`, author: `Zoe ${canary}`, role: 'user' },
      { content: 'The harbour was quiet otherwise.', author: 'Max', role: 'user' },
    ]);
    const turn = receipts[0]?.uuid ?? '';
    const fact = { content: `Zoe saw a ${canary} at the harbour`, sources: [turn] };
    const made = await engine.remember(scope, fact);
    const wrong = { content: `The ${canary} was a kite`, sources: [turn] };
    const dropped = await engine.remember(scope, wrong);
    const reason = `nobody believes in a kite, ${canary}`;
    await engine.undo(dropped.receipts[0]?.operation_id ?? '', { reason });
    await engine.remember(scope, { content: 'Max likes the quiet of the harbour' });
    time.ms += 60_000;
    const { composition_id: id } = await compose(scope, `Where did the ${canary} fly?`);
    return { scope, turn, fact: made.receipts[0]?.uuid ?? '', id };
  }

  /** What each path says. */
  async function said({ scope, turn, fact, id }: Awaited<ReturnType<typeof plant>>) {
    const lines: unknown[] = [];
    for await (const line of engine.exportScope(scope)) lines.push(line);
    const { text, identical, gone } = await engine.replay(id);
    const explained = await engine.explain(id);
    const found = await engine.facts.search('harbour zoe saw', { scope });
    const { text: composed } = await compose(scope, 'Where did it fly, over the harbour?');
    return {
      ...{ text, identical, gone, explained, composed, found },
      history: [await engine.history(turn), await engine.history(fact)],
      exported: lines,
    };
  }

  const kinds: readonly [
    string,
    (of: Awaited<ReturnType<typeof plant>>, canary: string) => ForgetTarget,
  ][] = [
    ['root', ({ turn }) => ({ root: turn })],
    ['version', ({ turn }) => ({ version: turn })],
    ['block', ({ turn }) => ({ block: turn })],
    ['person', (_, canary) => ({ person: `Zoe ${canary}` })],
    ['text', (_, canary) => ({ text: canary })],
    ['scope', ({ scope }) => ({ scope })],
    ['tenant', () => ({ tenant: true })],
  ];

  it.each(kinds)('gives back all that was visible: of a %s', async (kind, targetOf) => {
    const canary = `${kind}osaurus`;
    const planted = await plant(canary);
    const before = await said(planted);
    expect(before.composed).toContain(canary);
    const epoch = (await engine.audit.list({ limit: 1000 })).length;
    const { redaction_uuid: redaction } = await engine.forget(targetOf(planted, canary));
    time.ms += 60_000;
    const gone = await said(planted).catch(() => null);
    expect(JSON.stringify(gone ?? '')).not.toContain(canary);
    const result = await engine.undo(redaction);
    expect(result).toMatchObject({
      receipts: [],
      brought_back: { redaction_uuid: redaction, state: 'brought_back', erased_at: null },
    });
    expect(await said(planted)).toEqual(before);
    const entries = (await engine.audit.list({ limit: 1000 })).slice(epoch);
    expect(entries.map(({ action }) => action)).toEqual([`forget.${kind}`, `bring_back.${kind}`]);
    expect((await engine.audit.verify()).faults).toEqual([]);
    expect(await engine.undo(redaction), 'again').toEqual(result);
    expect((await engine.embedPending()).embedded, 'vectors are there again').toBe(0);
    const gaps = await opened.owner.query(
      `select term from context_ops.postings group by tenant_id, scope_uuid, owner_table, term
       having max(nth) <> count(*)`,
    );
    expect(gaps).toEqual([]);
    expect((await refusalOf(engine.erasure.erase(redaction))).code).toBe('WRITE.REFUSED');
  });

  it('is refused once it is erased, or due, and says so', async () => {
    const planted = await plant('mosasaurus');
    const { redaction_uuid: first } = await engine.forget({ root: planted.fact }, { now: true });
    const refused = await refusalOf(engine.undo(first));
    expect([refused.code, refused.message]).toEqual([
      'WRITE.REFUSED',
      expect.stringContaining('erased'),
    ]);
    const { redaction_uuid: second } = await engine.forget({ root: planted.turn });
    time.ms += 31 * DAY_MS;
    const due = await refusalOf(engine.erasure.bringBack(second));
    expect([due.code, due.message]).toEqual(['WRITE.REFUSED', expect.stringContaining('grace')]);
    expect(JSON.stringify(await said(planted))).not.toContain('mosasaurus');
  });

  it('takes the tier that forgetting takes, and is audited where it is denied', async () => {
    const planted = await plant('liopleurodon');
    const { redaction_uuid: redaction } = await engine.forget({ root: planted.turn });
    const by = (permission_profile: PermissionProfile) => ({ permission_profile });
    const absent = '00000000-0000-4000-8000-00000000dead';
    const lastEntry = async () => (await engine.audit.list({ limit: 1000 })).at(-1);
    for (const waits of [
      by(profile('zoe')),
      by(profile('bot', { kind: 'agent', scopes: [planted.scope] })),
      by(profile('local', { tiers: { redactions: 'T2' } })),
    ]) {
      const { state, proposal } = await engine.erasure.bringBack(redaction, waits);
      expect([state, typeof proposal?.proposal_uuid]).toEqual(['suppressed', 'string']);
      expect(await lastEntry()).toMatchObject({
        ...{ action: 'return.redactions', decision: 'proposed' },
        detail: proposal?.proposal_uuid,
      });
    }
    const excluded = by(profile('local', { tiers: { redactions: 'excluded' } }));
    const { code } = await refusalOf(engine.erasure.bringBack(redaction, excluded));
    expect(code).toBe('PERMISSION.DENIED');
    expect(await lastEntry()).toMatchObject({
      ...{ action: expect.stringMatching(/^bring_back\./), decision: 'denied' },
    });
    const { scope_block_uuid: other } = await engine.scopes.create({ type: 'chat_session' });
    const elsewhere = by(profile('local', { scopes: [other] }));
    const [one, two] = await Promise.all(
      [redaction, absent].map((id) => refusalOf(engine.erasure.bringBack(id, elsewhere))),
    );
    expect([one?.code, one?.message]).toEqual([two?.code, two?.message]);
    expect(one?.code).toBe('WRITE.NOT_FOUND');
    expect(await engine.history(planted.turn)).toEqual([]);
    await engine.undo(redaction, by(profile('local', { scopes: [planted.scope] })));
    expect(await engine.history(planted.turn)).toHaveLength(1);
  });

  it('lets a proposal wait again that was made of it', async () => {
    const planted = await plant('plesiosaurus');
    const bot = { permission_profile: profile('bot', { kind: 'agent' }) };
    const fact = { content: 'A plesiosaurus may come back' };
    const { proposal } = await engine.remember(planted.scope, fact, bot);
    const waiting = async () =>
      (await engine.approvals.list({ state: 'pending' })).map(({ proposal_uuid: id }) => id);
    expect(await waiting()).toContain(proposal?.proposal_uuid);
    const { redaction_uuid: redaction } = await engine.forget({ text: 'plesiosaurus' });
    expect(await waiting()).not.toContain(proposal?.proposal_uuid);
    await engine.undo(redaction);
    expect(await waiting()).toContain(proposal?.proposal_uuid);
  });
});
