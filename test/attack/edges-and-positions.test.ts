/**
 * What a call names beside its own scope is judged as well: parents, positions, inherited scopes.
 * Ids that a write derives cannot be guessed.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestUuid } from '../../connectors/pgvector/ids.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { parseUuid } from '../../src/model/ids.ts';
import { openEngine, refusalOf, waitsFor } from '../support/engines.ts';

describe('what a call names beside its scope', () => {
  let engine: ContextEngine;
  let mine: string;
  let theirs: string;
  let theirTurn: string;
  let call: { readonly permission_profile: PermissionProfile };

  beforeAll(async () => {
    engine = await openEngine();
    ({ scope_block_uuid: theirs } = await engine.scopes.create({ type: 'short_scope' }));
    ({ scope_block_uuid: mine } = await engine.scopes.create({
      type: 'short_scope',
      inherits: [theirs],
    }));
    const { receipts } = await engine.append(theirs, { content: 'theirs' });
    theirTurn = receipts[0]?.root_uuid ?? '';
    call = {
      permission_profile: { principal: 'ann', tenant: 'local', kind: 'human', scopes: [mine] },
    };
    return () => engine.close();
  });

  const untold = (text: string, name: string): string => text.replaceAll(name, 'NAME');

  it('a parent is read, or answers like one that is not there', async () => {
    const told: string[] = [];
    for (const parent of [theirTurn, theirs, randomUUID()]) {
      const turn = { content: 'below', parent_uuid: parent };
      const { code, message } = await refusalOf(engine.append(mine, turn, call));
      told.push(untold(`${code} ${message}`, parent));
    }
    expect(new Set(told).size).toBe(1);
    const [above] = (await engine.append(mine, { content: 'above' }, call)).receipts;
    for (const parent of [above?.root_uuid ?? '', mine])
      await engine.append(mine, { content: 'below', parent_uuid: parent }, call);
  });

  it('a position names scopes that are read, or answers like one of a scope that is not there', async () => {
    const compose = (scope: string, profile = call.permission_profile) =>
      engine.composeBlockContext({
        scope_block_uuid: mine,
        intent: 'fact',
        query: '',
        permission_profile: profile,
        recorded_as_of: [
          { scope: parseUuid(mine, 'scope'), head: 1 },
          { scope: parseUuid(scope, 'scope'), head: 1 },
        ],
      });
    const told: string[] = [];
    for (const scope of [theirs, randomUUID()]) {
      const { code, message } = await refusalOf(compose(scope));
      told.push(untold(`${code} ${message}`, scope));
    }
    expect(new Set(told).size).toBe(1);
    const all: PermissionProfile = { ...call.permission_profile, scopes: '*' };
    expect((await compose(theirs, all)).position.length).toBe(2);
  });

  it('who may not write at T1 lets nothing inherit, and no scope inherits from itself', async () => {
    const tiers = { writes: 'T2' } as const;
    const held = { ...call.permission_profile, scopes: [mine, theirs], tiers };
    const link = { type: 'inherits', to: theirs } as const;
    const proposed = engine.link(mine, link, { permission_profile: held });
    expect(await waitsFor(proposed)).toBe('T2');
    const itself = engine.link(mine, { ...link, to: mine }, call);
    expect((await refusalOf(itself)).code).toBe('SCOPE.CYCLE');
  });

  it('an id that a correction derives cannot be taken before', async () => {
    const key = ['user', 'profile', 'city'] as const;
    const day = (n: number): string => `2026-01-0${n}T00:00:00.000Z`;
    await engine.setTyped(theirs, ...key, 'Bern', { valid_from: day(1) });
    const listed = await engine.scopes.list();
    const head = listed.find(({ scope_block_uuid: uuid }) => uuid === theirs)?.head ?? 0;
    for (let seq = head; seq < head + 3; seq += 1)
      for (let index = 0; index < 3; index += 1)
        await engine.scopes.create({
          type: 'short_scope',
          uuid: digestUuid('recut', theirs, seq, index),
        });
    const [stored] = (
      await engine.setTyped(theirs, ...key, 'Basel', {
        valid_from: day(3),
        valid_until: day(5),
      })
    ).receipts;
    expect(stored?.outcome).toBe('superseded');
  });
});
