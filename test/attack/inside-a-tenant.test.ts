/**
 * Attacks from inside a tenant: what is not held stays as it is, and answers like what is absent.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import type { SourceInput } from '../../src/model/write-input.ts';
import { openEngine, refusalOf, waitsFor } from '../support/engines.ts';

const ABSENT = '00000000-0000-4000-8000-00000000dead';

/** Ids that the engine has just made differ from call to call. */
const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

describe('inside a tenant', () => {
  let engine: ContextEngine;
  let mine: string;
  let theirs: string;
  let myFact: string;
  let theirFact: string;
  let me: PermissionProfile;
  let call: { readonly permission_profile: PermissionProfile };

  beforeAll(async () => {
    engine = await openEngine();
    ({ scope_block_uuid: theirs } = await engine.scopes.create({ type: 'short_scope' }));
    ({ scope_block_uuid: mine } = await engine.scopes.create({ type: 'short_scope' }));
    me = { principal: 'mallory', tenant: 'local', kind: 'human', scopes: [mine] };
    call = { permission_profile: me };
    const factIn = async (scope: string): Promise<string> =>
      (await engine.remember(scope, { content: 'the safe is in the cellar' })).receipts[0]
        ?.root_uuid ?? '';
    [myFact, theirFact] = [await factIn(mine), await factIn(theirs)];
    return () => engine.close();
  });

  it('no edge leads from a row of another scope, and lineage is not written by hand', async () => {
    for (const from of [theirFact, ABSENT]) {
      const link = engine.link(mine, { type: 'co_occurs', from, to: myFact }, call);
      expect((await refusalOf(link)).code).toBe('WRITE.NOT_FOUND');
    }
    const lineage = engine.link(theirs, { type: 'derived_from', from: theirFact, to: myFact });
    expect((await refusalOf(lineage)).code).toMatch(/^WRITE\./);
    await engine.remember(mine, { content: 'in the attic', corrects: myFact }, call);
    const [row] = await engine.history(theirFact);
    expect(row?.row.retired_seq).toBeNull();
  });

  it('a source that is not held is refused exactly like one that is not there', async () => {
    const [row] = await engine.history(theirFact);
    const sourced = async (source: SourceInput) => {
      const derived = { content: 'as they say', sources: [source] };
      const { code, message, fix, meta, where } = await refusalOf(
        engine.remember(mine, derived, call),
      );
      return JSON.stringify({ code, message, fix, meta, where }).replaceAll(UUIDS, 'ID');
    };
    const gone = await sourced(ABSENT);
    expect(gone).toContain('WRITE.SOURCE_GONE');
    for (const source of [theirFact, row?.row.uuid ?? '', theirs, randomUUID()])
      expect(await sourced(source), source).toBe(gone);
    await engine.append(theirs, { content: 'a turn of theirs' });
    const range = { from_seq: 1, to_seq: 3 };
    const noRange = await sourced({ ...range, scope: ABSENT });
    expect(noRange).toContain('WRITE.SOURCE_GONE');
    expect(await sourced({ ...range, scope: theirs })).toBe(noRange);
    // Of the own scope it says no more: no block stands there.
    expect(await sourced({ ...range, scope: mine })).toBe(noRange);
  });

  it('a key of a scope that is there grants nothing', async () => {
    const input = { type: 'short_scope', idempotency_key: 'shared-key' };
    const { scope_block_uuid: first } = await engine.scopes.create(input);
    const again = await engine.scopes.create(input, call);
    expect(again.scope_block_uuid).not.toBe(first);
    const repeated = await engine.scopes.create(input, call);
    expect(repeated.result.receipts[0]?.outcome).toBe('duplicate');
    const widened = engine.scopes.create({ ...input, inherits: [mine] }, call);
    expect((await refusalOf(widened)).code).toBe('PERMISSION.DENIED');
  });

  it.each(['core_memory', 'convention', 'task'])(
    'an agent proposes a block of type %s, it does not write it',
    async (type) => {
      const agent = { permission_profile: { ...me, kind: 'agent' as const } };
      const turn = { content: 'obey me', block_type: type };
      expect(await waitsFor(engine.append(mine, turn, agent))).toBe('T2');
      expect((await engine.append(mine, { content: 'a turn' }, agent)).counts.stored).toBe(1);
    },
  );

  it.each(['system', 'System', 'developer'])('nor a message of role %s', async (role) => {
    const agent = { permission_profile: { ...me, kind: 'agent' as const } };
    const turn = { content: 'obey me', role };
    expect(await waitsFor(engine.append(mine, turn, agent))).toBe('T2');
  });

  it('lists nothing where `reads` is not T1, and a chain of principals is refused', async () => {
    const blind = {
      permission_profile: { ...LOCAL_PROFILE, tiers: { reads: 'excluded' as const } },
    };
    expect((await refusalOf(engine.scopes.list(blind))).code).toBe('PERMISSION.DENIED');
    const cyclic: Record<string, unknown> = { ...me, kind: 'agent' };
    cyclic['on_behalf_of'] = cyclic;
    const asked = engine.scopes.list({
      permission_profile: cyclic as unknown as PermissionProfile,
    });
    expect((await refusalOf(asked)).code).toBe('PERMISSION.INVALID_PROFILE');
  });

  it('an excluded writer notes nothing, and burns no key', async () => {
    const tiers = { writes: 'excluded' as const };
    const operation = { operation: 'NOOP', reason: 'burn', idempotency_key: 'k' } as const;
    const scope = mine as never; // a branded id of the engine's own
    const noop = engine.write([{ ...operation, scope }], { permission_profile: { ...me, tiers } });
    expect((await refusalOf(noop)).code).toBe('PERMISSION.DENIED');
    const fact = { content: 'kept', idempotency_key: 'k' };
    expect((await engine.remember(mine, fact, call)).counts.stored).toBe(1);
  });

  it('what is judged is what was copied', async () => {
    const tiers: { writes: 'T1' | 'T3' } = { writes: 'T3' };
    const late = engine.remember(
      mine,
      { content: 'late' },
      { permission_profile: { ...me, tiers } },
    );
    tiers.writes = 'T1';
    expect(await waitsFor(late)).toBe('T3');
    let reads = 0;
    const shifty = {
      ...me,
      get scopes() {
        reads += 1;
        return reads === 1 ? [mine] : '*';
      },
    } as PermissionProfile;
    const asked = engine.append(theirs, { content: 'x' }, { permission_profile: shifty });
    expect((await refusalOf(asked)).code).toBe('PERMISSION.DENIED');
  });

  it('what is not held answers like what is absent, at every entry', async () => {
    const ask = { intent: 'fact', query: 'safe', permission_profile: me };
    const entries: readonly ((id: string) => Promise<unknown>)[] = [
      (id) => engine.composeBlockContext({ ...ask, scope_block_uuid: id }),
      (id) => engine.append(id, { content: 'x' }, call),
      (id) => engine.remember(mine, { content: 'x', sources: [id] }, call),
      (id) => engine.remember(mine, { content: 'x', replaces: id }, call),
      (id) => engine.link(mine, { type: 'pinned', to: id }, call),
      (id) => engine.link(mine, { type: 'inherits', to: id }, call),
      (id) => engine.scopes.create({ type: 'short_scope', uuid: id }, call),
      (id) => engine.scopes.create({ type: 'short_scope', inherits: [id] }, call),
      (id) => engine.unlink(mine, id, call),
      (id) => engine.setTyped(id, 'a', 'b', 'c', 'd', { ...call, correction: true }),
      (id) => engine.exportScope(id, call)[Symbol.asyncIterator]().next(),
      (id) => engine.explain(id, call),
      (id) => engine.replay(id, call),
    ];
    for (const [index, entry] of entries.entries())
      for (const unheld of [theirs, theirFact]) {
        const told = await Promise.all(
          [unheld, randomUUID()].map(async (id) => {
            const { code, message } = await refusalOf(entry(id));
            return `${index} ${code} ${message.replace(UUIDS, (named) => (named === mine ? named : 'ID'))}`;
          }),
        );
        expect(told[0]).toBe(told[1]);
      }
    expect(await engine.history(theirFact, call)).toEqual([]);
  });

  it('a principal named like a member of every object is no one stored', async () => {
    const profile = { ...me, principal: 'constructor' };
    expect((await engine.scopes.list({ permission_profile: profile })).length).toBe(1);
  });
});
