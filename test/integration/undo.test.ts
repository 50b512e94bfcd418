/** `undo`: what an operation did is taken back, once, by the rights of the write. */
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { ContextEngine, PermissionProfile, ScopeUuid } from '../../src/index.ts';
import { parseTenant } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock, waitsFor } from '../support/engines.ts';
import { day } from '../support/ledger.ts';

type Written = Awaited<ReturnType<ContextEngine['remember']>>;
const TENANT = parseTenant('local');
const ALL_T1 = { redactions: 'T1', grants: 'T1', deletes: 'T1', approvals: 'T1' } as const;

const opOf = ({ receipts: [receipt] }: Written): string => receipt?.operation_id ?? '';
const rootOf = ({ receipts: [receipt] }: Written): string => receipt?.root_uuid ?? '';
const uuidOf = ({ receipts: [receipt] }: Written): string => receipt?.uuid ?? '';

describeOnDatabases('undo', (open) => {
  const time: TestClock = { ms: START_MS };
  let opened: TestDatabase;
  let engine: ContextEngine;
  let scope: ScopeUuid;
  let other: ScopeUuid;
  const profile = (
    principal: string,
    more: Partial<PermissionProfile> = {},
  ): { readonly permission_profile: PermissionProfile } => ({
    permission_profile: { principal, tenant: TENANT, kind: 'human', scopes: '*', ...more },
  });

  beforeAll(async () => {
    opened = await open();
    // On a server nobody holds T1 by being there: the rights are stored by who migrates.
    const local = { action: 'set', principal: 'local', kind: 'human', scopes: '*' } as const;
    if (opened.url !== null)
      await pgvectorAuthority(opened.database).changeRights(
        TENANT,
        { ...local, tiers: ALL_T1 },
        { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) },
      );
    const database = opened.url === null ? { inMemory: true as const } : { url: opened.url };
    engine = await openEngine({ database, time, ...profile('local') });
    const tiers = { approvals: 'T1' } as const;
    await engine.principals.set({ principal: 'carol', kind: 'human', scopes: '*', tiers });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    ({ scope_block_uuid: other } = await engine.scopes.create({ type: 'short_scope' }));
    return () => engine.close();
  });

  /** What is believed of a root: text and interval. */
  const believed = async (root: string): Promise<readonly unknown[]> =>
    (await engine.history(root))
      .filter(({ row }) => row.retired_seq === null)
      .map(({ row }) => [
        'content' in row ? row.content : 'value' in row ? row.value : '',
        row.valid_until,
      ]);
  const headNow = async (): Promise<number | undefined> =>
    (await engine.scopes.list()).find((each) => each.scope_block_uuid === scope)?.head;

  it('restores what a correction withdrew, in every scope, and is undone in turn', async () => {
    const turn = await engine.append(scope, { content: 'The safe is in the cellar.' });
    const sources = [uuidOf(turn)];
    const fact = await engine.remember(other, { content: 'safe: cellar', sources });
    const below = await engine.remember(scope, {
      content: 'keys: cellar',
      sources: [uuidOf(fact)],
    });
    const corrected = await engine.correct(rootOf(turn), { content: 'The safe is upstairs.' });
    expect(await believed(rootOf(fact))).toEqual([]);
    const undone = await engine.undo(opOf(corrected), { reason: 'misheard' });
    expect(undone.receipts[0]).toMatchObject({ operation: 'UNDO', outcome: 'stored' });
    expect(await believed(rootOf(turn))).toEqual([['The safe is in the cellar.', null]]);
    expect(await believed(rootOf(fact))).toEqual([['safe: cellar', null]]);
    expect(await believed(rootOf(below))).toEqual([['keys: cellar', null]]);
    const [, back] = await engine.history(rootOf(fact));
    expect(back?.row).toMatchObject({ recut_of: uuidOf(fact), operation: 'UNDO' });
    const again = await engine.undo(opOf(undone));
    expect(await believed(rootOf(turn))).toEqual([['The safe is upstairs.', null]]);
    expect(await believed(rootOf(below))).toEqual([]);
    await engine.undo(opOf(again));
    expect(await believed(rootOf(below))).toEqual([['keys: cellar', null]]);
  });

  it('restores all that fell in a scope, not the first of it', async () => {
    const turn = await engine.append(scope, { content: 'The key is under the mat.' });
    const sources = [uuidOf(turn)];
    const roots: string[] = [];
    for (const target of [scope, other])
      for (const number of [1, 2, 3]) {
        const content = `hiding place ${number}: mat`;
        roots.push(rootOf(await engine.remember(target, { content, sources })));
        const typed = [`house ${number}`, 'profile', 'key', 'mat'] as const;
        roots.push(rootOf(await engine.setTyped(target, ...typed, { sources })));
      }
    const all = () => Promise.all(roots.map(believed));
    const before = await all();
    expect(before.flat()).toHaveLength(roots.length);
    const corrected = await engine.correct(rootOf(turn), { content: 'It is in the shed.' });
    expect((await all()).flat()).toEqual([]);
    await engine.undo(opOf(corrected));
    expect(await all()).toEqual(before);
  });

  it('is found by its words and its meaning like what it is a copy of', async () => {
    const told = 'Marmots whistle before the avalanche.';
    const fact = await engine.remember(scope, { content: told });
    await engine.undo(opOf(await engine.correct(rootOf(fact), { content: 'Nothing of that.' })));
    const asked = { intent: 'fact', query: 'what do marmots do', ...profile('local') } as const;
    const context = await engine.composeBlockContext({ scope_block_uuid: scope, ...asked });
    expect(context.text).toContain(told);
    expect(await engine.embedPending()).toMatchObject({ embedded: 0, pending: 0 });
  });

  it('says so when it is undone already, and writes nothing', async () => {
    const fact = await engine.remember(scope, { content: 'said by mistake' });
    const undone = await engine.undo(opOf(fact));
    const head = await headNow();
    const again = await engine.undo(opOf(fact));
    expect(again).toMatchObject({
      receipts: [{ outcome: 'duplicate', operation_id: opOf(undone), root_uuid: rootOf(fact) }],
      position: [],
    });
    expect(await headNow()).toBe(head);
  });

  it('names what builds on it, in scopes that the caller reads', async () => {
    const turn = await engine.append(scope, { content: 'a base to build on' });
    const sources = [uuidOf(turn)];
    const derived = await engine.remember(other, { content: 'built on the base', sources });
    const refused = await refusalOf(engine.undo(opOf(turn)));
    expect(refused).toMatchObject({
      code: 'WRITE.BUILT_ON',
      meta: { operations: [{ operation_id: opOf(derived), scope: other }] },
    });
    expect(refused.message).toContain(opOf(derived));
    const near = profile('local', { scopes: [scope] });
    const blind = await refusalOf(engine.undo(opOf(turn), near));
    expect(blind).toMatchObject({ code: 'WRITE.BUILT_ON', meta: { operations: [] } });
    expect(JSON.stringify(blind)).not.toContain(other);
    const child = await engine.append(scope, { content: 'below', parent_uuid: rootOf(turn) });
    expect((await refusalOf(engine.undo(opOf(turn)))).message).toContain(opOf(child));
    await engine.undo(opOf(child));
    await engine.undo(opOf(derived));
    await engine.undo(opOf(turn));
    expect(await believed(rootOf(turn))).toEqual([]);
  });

  it('names the later value of a key, and restores the one before', async () => {
    const set = (value: string) => engine.setTyped(scope, 'ada', 'profile', 'city', value);
    const first = await set('Bern');
    time.ms += 60_000;
    const second = await set('Basel');
    time.ms += 60_000;
    const third = await set('Genf');
    const refused = await refusalOf(engine.undo(opOf(second)));
    expect(refused).toMatchObject({ code: 'WRITE.BUILT_ON' });
    expect(refused.message).toContain(opOf(third));
    await engine.undo(opOf(third));
    await engine.undo(opOf(second));
    expect(await believed(rootOf(first))).toEqual([['Bern', null]]);
  });

  it('answers for an operation that is not held as for one that is not there', async () => {
    const fact = await engine.remember(scope, { content: 'of this scope alone' });
    const absent = '00000000-0000-4000-8000-00000000dead';
    const elsewhere = profile('local', { scopes: [other] });
    const [unheld, missing] = await Promise.all([
      refusalOf(engine.undo(opOf(fact), elsewhere)),
      refusalOf(engine.undo(absent, elsewhere)),
    ]);
    expect(unheld).toMatchObject({ code: 'WRITE.NOT_FOUND' });
    expect(unheld.message.replace(opOf(fact), absent)).toBe(missing.message);
    expect(await refusalOf(engine.undo('nothing'))).toMatchObject({
      code: 'CONFIG.INVALID_VALUE',
    });
  });

  it('brings nothing back that was forgotten', async () => {
    const fact = await engine.remember(scope, { content: 'Quaggas graze at the dunes.' });
    const changed = await engine.correct(rootOf(fact), { content: 'Zebras graze there.' });
    await engine.forget({ root: rootOf(fact) });
    expect(await refusalOf(engine.undo(opOf(changed)))).toMatchObject({ code: 'WRITE.NOT_FOUND' });
    expect(JSON.stringify(await engine.history(rootOf(fact)))).not.toContain('Quaggas');
  });

  it('waits where the write or the deletion that it is would wait', async () => {
    const bot = profile('bot', { kind: 'agent' });
    const turn = await engine.append(scope, { content: 'said to the bot' }, bot);
    expect(await waitsFor(engine.undo(opOf(turn), bot))).toBe('T3');
    const fact = await engine.remember(scope, { content: 'blue is the colour' });
    const changed = await engine.correct(rootOf(fact), { content: 'green is the colour' });
    const waiting = await engine.undo(opOf(changed), bot);
    expect(await waitsFor(Promise.resolve(waiting))).toBe('T2');
    const { proposal } = waiting;
    const same = await engine.undo(opOf(changed), bot);
    expect(same.proposal?.proposal_uuid).toBe(proposal?.proposal_uuid);
    const settled = await engine.approvals.approve(
      proposal?.proposal_uuid ?? '',
      null,
      profile('carol'),
    );
    expect(settled.state).toBe('approved');
    expect(await believed(rootOf(fact))).toEqual([['blue is the colour', null]]);
  });

  it('conflicts at its approval where what it touches has moved', async () => {
    const bot = profile('bot', { kind: 'agent' });
    const fact = await engine.remember(scope, { content: 'first words' });
    const changed = await engine.correct(rootOf(fact), { content: 'second words' });
    const { proposal } = await engine.undo(opOf(changed), bot);
    await engine.correct(rootOf(fact), { content: 'third words' });
    const id = proposal?.proposal_uuid ?? '';
    const settled = await engine.approvals.approve(id, null, profile('carol'));
    expect(settled.state).toBe('conflict');
    expect(await believed(rootOf(fact))).toEqual([['third words', null]]);
  });

  it('of a scope that is empty ends it, and of one that is not is refused', async () => {
    const made = await engine.scopes.create({ type: 'short_scope' });
    const inside = await engine.append(made.scope_block_uuid, { content: 'not empty' });
    const refused = await refusalOf(engine.undo(opOf(made.result)));
    expect(refused.message).toContain(opOf(inside));
    await engine.undo(opOf(inside));
    await engine.undo(opOf(made.result));
    const listed = (await engine.scopes.list()).map(({ scope_block_uuid: uuid }) => uuid);
    expect(listed).not.toContain(made.scope_block_uuid);
  });
});
