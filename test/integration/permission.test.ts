/**
 * Who may do what, through the engine: tiers, scopes that are not held, and agents acting for
 * someone.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  ComposeRequest,
  ContextEngine,
  FactInput,
  PermissionProfile,
} from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, refusedAs, told, waitsFor } from '../support/engines.ts';

const CALL = { permission_profile: LOCAL_PROFILE };
const agent = (
  scopes: readonly string[],
  more: Partial<PermissionProfile> = {},
): PermissionProfile => ({
  principal: 'helper',
  tenant: 'local',
  kind: 'agent',
  scopes,
  ...more,
});

describeOnDatabases('permission', (open, flavor) => {
  let engine: ContextEngine;
  let opened: TestDatabase | null = null;
  let scope: string;
  let outer: string;

  beforeAll(async () => {
    opened = flavor === 'postgres' ? await open() : null;
    engine = await openEngine({ database: opened?.url ? { url: opened.url } : { inMemory: true } });
    ({ scope_block_uuid: outer } = await engine.scopes.create(
      { type: 'short_scope', title: 'the person' },
      CALL,
    ));
    ({ scope_block_uuid: scope } = await engine.scopes.create(
      { type: 'short_scope', inherits: [outer] },
      CALL,
    ));
    await engine.remember(outer, { content: 'the garden needs water' }, CALL);
    await engine.remember(scope, { content: 'the garden has roses' }, CALL);
    return () => engine.close();
  });

  const request = (
    profile: PermissionProfile,
    more: Partial<ComposeRequest> = {},
  ): ComposeRequest => ({
    scope_block_uuid: scope,
    intent: 'fact',
    query: 'the garden',
    permission_profile: profile,
    ...more,
  });
  const headNow = async (): Promise<number | undefined> =>
    (await engine.scopes.list(CALL)).find((entry) => entry.scope_block_uuid === scope)?.head;
  /** Audited decisions; null on PGlite, whose one connection is the engine's. */
  const audited = async (): Promise<readonly string[] | null> =>
    opened &&
    (
      await opened.owner.query('select principal, action, decision, tier from context_ops.audit')
    ).map((row) => [row['principal'], row['action'], row['decision'], row['tier']].join(' '));
  const fact: FactInput = { content: 'the agent thinks so' };

  it('leaves an inherited scope that is not held out, with a warning', async () => {
    const both = await engine.composeBlockContext(request(agent([scope, outer])));
    expect(both.text).toContain('needs water');
    expect(both.warnings).toEqual([]);
    const narrow = await engine.composeBlockContext(request(agent([scope]), { trace: true }));
    expect(narrow.text).toContain('has roses');
    expect(narrow.text).not.toContain('needs water');
    expect(narrow.position.map((entry) => entry.scope)).toEqual([scope]);
    expect(narrow.warnings).toMatchObject([
      { code: 'PERMISSION.SCOPE_LEFT_OUT', message: expect.stringContaining(outer) },
    ]);
    expect(narrow.trace?.left_out).toEqual([{ scope: outer, reason: 'not held by the profile' }]);
  });

  it('lets an agent append turns, and keeps back the memory that it proposes: T2', async () => {
    const before = await headNow();
    const call = { permission_profile: agent([scope]) };
    expect(await waitsFor(engine.remember(scope, fact, call))).toBe('T2');
    expect(await waitsFor(engine.setTyped(scope, 'user', 'profile', 'city', 'Bern', call))).toBe(
      'T2',
    );
    const pin = { type: 'pinned', to: scope } as const;
    expect(await waitsFor(engine.link(scope, pin, call))).toBe('T2');
    expect(await headNow()).toBe(before);
    const { counts } = await engine.append(
      scope,
      { content: 'a step was taken', role: 'assistant' },
      call,
    );
    expect(counts.stored).toBe(1);
    const entries = await audited();
    if (entries)
      expect(entries.filter((entry) => entry === 'helper write.writes proposed T2').length).toBe(3);
  });

  it('keeps back a whole call for one operation that is not T1', async () => {
    const before = await headNow();
    const { receipts } = await engine.append(scope, { content: 'seen' }, CALL);
    const [row] = await engine.history(receipts[0]?.root_uuid ?? '', CALL);
    if (!row) throw new Error('a turn that was appended has a history');
    const taken = {
      operation: 'DELETE',
      table: 'blocks',
      scope: row.row.scope_uuid,
      root_uuid: row.row.root_uuid,
      cause: 'correction',
      valid_from: row.row.valid_from,
    } as const;
    const noted = {
      operation: 'NOOP',
      scope: row.row.scope_uuid,
      reason: 'nothing to say',
    } as const;
    const person = { permission_profile: { ...LOCAL_PROFILE, principal: 'ann' } };
    expect(await waitsFor(engine.write([noted, taken], person))).toBe('T3');
    const claimed = { ...person.permission_profile, tiers: { deletes: 'T1' } } as const;
    expect(await waitsFor(engine.write([noted, taken], { permission_profile: claimed }))).toBe(
      'T3',
    );
    expect(await headNow()).toBe((before ?? 0) + 1);
  });

  it('refuses to read outside of the closure, whoever asks: cross-scope is T3', async () => {
    const profile: PermissionProfile = {
      ...LOCAL_PROFILE,
      principal: 'ann',
      tiers: { cross_scope: 'T1' },
    };
    const { scope_block_uuid: far } = await engine.scopes.create({ type: 'short_scope' }, CALL);
    const error = await refusalOf(
      engine.composeBlockContext(request(profile, { include_scopes: [far] })),
    );
    expect(told(error)).toEqual(refusedAs('PERMISSION.APPROVAL_REQUIRED'));
    expect(error.meta).toEqual({
      tier: 'T3',
      action: 'cross_scope',
      proposal: expect.any(String),
    });
    const entries = await audited();
    if (entries) expect(entries).toContain('ann read.cross_scope proposed T3');
  });

  it('refuses a scope that is not held, and audits it', async () => {
    expect(told(await refusalOf(engine.composeBlockContext(request(agent([outer])))))).toEqual(
      refusedAs('PERMISSION.DENIED'),
    );
    expect(
      told(
        await refusalOf(
          engine.append(scope, { content: 'x' }, { permission_profile: agent([outer]) }),
        ),
      ),
    ).toEqual(refusedAs('PERMISSION.DENIED'));
    expect(
      (
        await refusalOf(
          engine
            .exportScope(scope, { permission_profile: agent([outer]) })
            [Symbol.asyncIterator]()
            .next(),
        )
      ).code,
    ).toBe('PERMISSION.DENIED');
    const entries = await audited();
    if (entries)
      expect(entries).toEqual(
        expect.arrayContaining([
          'helper compose.reads denied excluded',
          'helper write.writes denied excluded',
        ]),
      );
  });

  it('shows nothing of a scope that is not held by its history, its receipts or its list', async () => {
    const { receipts } = await engine.remember(scope, { content: 'a secret of the scope' }, CALL);
    const composition = await engine.composeBlockContext(request(LOCAL_PROFILE));
    const stranger = { permission_profile: agent([outer]) };
    expect(await engine.history(receipts[0]?.root_uuid ?? '', stranger)).toEqual([]);
    expect((await refusalOf(engine.replay(composition.composition_id, stranger))).code).toBe(
      'RECEIPT.NOT_FOUND',
    );
    expect((await refusalOf(engine.explain(composition.composition_id, stranger))).code).toBe(
      'RECEIPT.NOT_FOUND',
    );
    expect((await engine.scopes.list(stranger)).map((entry) => entry.scope_block_uuid)).toEqual([
      outer,
    ]);
  });

  it('replays the part of an inherited scope that is no longer held as gone, not as text', async () => {
    const composition = await engine.composeBlockContext(request(agent([scope, outer])));
    expect(composition.text).toContain('needs water');
    const replay = await engine.replay(composition.composition_id, {
      permission_profile: agent([scope]),
    });
    expect(replay.text).not.toContain('needs water');
    expect(replay.identical).toBe(false);
    expect(replay.gone.length).toBe(1);
  });

  it.each(['T2', 'T3', 'excluded'] as const)(
    'a profile whose reads is %s sees nothing, forwards or back',
    async (reads) => {
      const composition = await engine.composeBlockContext(request(LOCAL_PROFILE));
      const profile: PermissionProfile = { ...LOCAL_PROFILE, principal: 'blind', tiers: { reads } };
      const call = { permission_profile: profile };
      const code = reads === 'excluded' ? 'PERMISSION.DENIED' : 'PERMISSION.APPROVAL_REQUIRED';
      const root = composition.items.find((item) => item.root_uuid !== null)?.root_uuid ?? '';
      const calls = [
        () => engine.composeBlockContext(request(profile)),
        () => engine.replay(composition.composition_id, call),
        () => engine.explain(composition.composition_id, call),
        () => engine.history(root, call),
        () => engine.exportScope(scope, call)[Symbol.asyncIterator]().next(),
      ];
      for (const each of calls) expect(told(await refusalOf(each()))).toEqual(refusedAs(code));
    },
  );

  describe('on behalf of someone', () => {
    const person = (
      more: Partial<PermissionProfile> = {},
    ): Omit<PermissionProfile, 'on_behalf_of'> => ({
      principal: 'ann',
      tenant: 'local',
      kind: 'human',
      scopes: [scope],
      ...more,
    });
    const refused = async (profile: PermissionProfile): Promise<unknown> =>
      told(await refusalOf(engine.composeBlockContext(request(profile))));

    it('an agent that holds less than its principal may read', async () => {
      const composition = await engine.composeBlockContext(
        request(agent([scope], { on_behalf_of: person() })),
      );
      expect(composition.text).toContain('has roses');
    });
    it.each<[string, () => PermissionProfile, 'PERMISSION.DENIED']>([
      [
        'wider scopes',
        () => agent([scope, outer], { on_behalf_of: person() }),
        'PERMISSION.DENIED',
      ],
      [
        'all scopes',
        () => ({ ...agent([]), scopes: '*', on_behalf_of: person() }),
        'PERMISSION.DENIED',
      ],
      [
        'a lower tier',
        () =>
          agent([scope], {
            tiers: { writes: 'T1' },
            on_behalf_of: person({ tiers: { writes: 'T2' } }),
          }),
        'PERMISSION.DENIED',
      ],
      [
        'the very same rights',
        () => agent([scope], { tiers: { writes: 'T1' }, on_behalf_of: person() }),
        'PERMISSION.DENIED',
      ],
      [
        'another tenant',
        () => agent([scope], { on_behalf_of: person({ tenant: 'other' }) }),
        'PERMISSION.DENIED',
      ],
    ])('%s is refused', async (_what, profile, code) => {
      expect(await refused(profile())).toEqual(refusedAs(code));
    });
  });
});
