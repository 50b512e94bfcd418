/** `engine.as(profile)`: every method acts for that profile, and for no other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoundEngine, ContextEngine, PermissionProfile } from '../../src/index.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const profile = (principal: string): PermissionProfile => ({
  principal,
  kind: 'human',
  tenant: `tenant-${principal}`,
  scopes: '*',
});

describe('an engine that is bound to a profile', () => {
  let engine: ContextEngine;
  beforeAll(async () => {
    engine = await openEngine({ embedder: 'off' });
  });
  afterAll(() => engine.close());

  const filled = async (ada: BoundEngine) => {
    const { scope_block_uuid: scope } = await ada.scopes.create({ type: 'short_scope' });
    await ada.append(scope, { content: 'Where is the boiler?' });
    const { receipts } = await ada.remember(scope, { content: 'The boiler stands in the hall.' });
    return { scope, root: receipts[0]?.root_uuid ?? '' };
  };

  it('writes, composes and looks back without a profile in any call', async () => {
    const ada = engine.as(profile('ada'));
    const { scope, root } = await filled(ada);
    const composition = await ada.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'fact',
      query: 'boiler',
    });
    expect(composition.text).toContain('hall');
    expect((await ada.explain(composition.composition_id)).receipt.scope_uuid).toBe(scope);
    expect(await ada.history(root)).toHaveLength(1);
    expect((await ada.scopes.list()).map(({ scope_block_uuid: of }) => of)).toEqual([scope]);
    expect(await ada.approvals.list()).toEqual([]);
    let lines = 0;
    for await (const _ of ada.exportScope(scope)) lines += 1;
    expect(lines).toBeGreaterThan(2);
    expect(ada.manifests).toBe(engine.manifests);
    expect(Object.keys(await ada.health())).toEqual(Object.keys(await engine.health()));
  });

  it('refuses options that are no map, and never falls back to the profile of the engine', async () => {
    const { scope, root } = await filled(engine.as(profile('none')));
    const agent = engine.as({ ...profile('none'), kind: 'agent', scopes: [] });
    for (const none of [null, false, 0, '', () => ({})] as never[]) {
      expect((await refusalOf(agent.forget({ root }, none))).code).toBe('CONFIG.INVALID_VALUE');
      expect((await refusalOf(engine.forget({ root }, none))).code).toBe('CONFIG.INVALID_VALUE');
      expect((await refusalOf(agent.setTyped(scope, 'user', 'c', 'p', 'v', none))).code).toBe(
        'CONFIG.INVALID_VALUE',
      );
      expect((await refusalOf(agent.remember(scope, { content: 'x' }, none))).code).toBe(
        'CONFIG.INVALID_VALUE',
      );
    }
  });

  it('has each member of the engine but those that are not of one profile', () => {
    const namesOf = (value: object): string[] =>
      Object.entries(value).flatMap(([name, member]) =>
        typeof member === 'object' && member !== null && name !== 'manifests'
          ? namesOf(member).map((inner) => `${name}.${inner}`)
          : [name],
      );
    const { as: _as, close: _close, ...rest } = engine;
    expect(namesOf(engine.as(profile('ada'))).sort()).toEqual(namesOf(rest).sort());
  });

  it('sees nothing of another tenant', async () => {
    const { scope, root } = await filled(engine.as(profile('bo')));
    const eve = engine.as(profile('eve'));
    expect(await eve.scopes.list()).toEqual([]);
    expect(await eve.history(root)).toEqual([]);
    for (const call of [
      () => eve.append(scope, { content: 'x' }),
      () => eve.composeBlockContext({ scope_block_uuid: scope, intent: 'fact', query: '' }),
    ])
      expect((await refusalOf(call())).code).toMatch(/NOT_FOUND|SCOPE_NOT_HELD|DENIED/);
  });

  it('is of the profile as it was given, whatever the caller makes of the object', async () => {
    const given = { ...profile('cy') };
    const cy = engine.as(given);
    given.tenant = 'tenant-ada';
    expect(await cy.scopes.list()).toEqual([]);
  });

  it('refuses a second profile, and one that is none', async () => {
    const ada = engine.as(profile('ada'));
    const other = { permission_profile: profile('eve') };
    const asked = { scope_block_uuid: 'x', intent: 'fact', query: '', ...other } as const;
    for (const call of [() => ada.scopes.list(other), () => ada.composeBlockContext(asked)])
      expect((await refusalOf(call())).message).toContain('bound to `ada`');
    expect(() => ada.exportScope('x', other)).toThrow(/bound to `ada`/);
    expect(() => engine.as({} as never)).toThrow(/principal/);
    expect((await refusalOf(ada.scopes.list(null as never))).code).toMatch(
      /^(CONFIG|PERMISSION)\./,
    );
  });

  it('ends with the engine', async () => {
    const own = await openEngine({ embedder: 'off' });
    const ada = own.as(profile('ada'));
    await own.close();
    expect((await refusalOf(ada.scopes.list())).code).toBe('CONNECTOR.CLOSED');
  });
});
