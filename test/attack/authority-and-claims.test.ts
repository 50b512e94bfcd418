/** Ends of authority, and ids that a batch only claims to make. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CallOptions, ContextEngine, Operation, PermissionProfile } from '../../src/index.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const link = (scope: string, type: string, to: string): object => ({
  operation: 'ADD',
  table: 'context_links',
  scope,
  uuid: randomUUID(),
  valid_from: new Date().toISOString(),
  content: {
    link_type: type,
    from_uuid: scope,
    to_uuid: to,
    ordinal: 0,
    weight: 1,
    metadata: {},
  },
});
const fact = (scope: string, more: object): object => ({
  operation: 'ADD',
  table: 'memory_open_set',
  scope,
  uuid: randomUUID(),
  valid_from: '2026-01-01T00:00:00.000Z',
  content: {
    content: 'c',
    subject: null,
    category: null,
    class: 'fact',
    importance: 0.5,
    confidence: 1,
    tags: [],
    metadata: {},
    provenance: {},
  },
  ...more,
});
const as = (profile: PermissionProfile): CallOptions => ({ permission_profile: profile });

let engine: ContextEngine;
let mine: string;
let outer: string;
const scopeOf = async (inherits: readonly string[] = []): Promise<string> =>
  (await engine.scopes.create({ type: 'short_scope', inherits })).scope_block_uuid;
const write = (operations: readonly object[], options: CallOptions) =>
  engine.write(operations as readonly Operation[], options);
const rootOf = async (scope: string): Promise<string> =>
  (await engine.link(scope, { type: 'inherits', to: outer })).receipts[0]?.root_uuid ?? '';
beforeAll(async () => {
  engine = await openEngine({ embedder: 'off' });
  outer = await scopeOf();
  mine = await scopeOf();
  return () => engine.close();
});

describe('authority', () => {
  const profileOf = (kind: 'agent' | 'human'): CallOptions =>
    as({
      principal: 'bot',
      tenant: 'local',
      kind,
      scopes: [mine, outer],
      tiers: { writes: 'T1' },
    });

  it('is not ended or rewritten by who may not give it', async () => {
    const root = await rootOf(mine);
    const refused = [
      () => engine.unlink(mine, root, profileOf('agent')),
      () =>
        write(
          [
            {
              ...link(mine, 'co_occurs', outer),
              operation: 'UPDATE',
              root_uuid: root,
              cause: 'change',
            },
          ],
          profileOf('agent'),
        ),
      () =>
        write(
          [
            {
              operation: 'DELETE',
              table: 'blocks',
              scope: mine,
              root_uuid: mine,
              cause: 'change',
              valid_from: new Date().toISOString(),
            },
          ],
          profileOf('agent'),
        ),
    ];
    const actions = [];
    for (const call of refused) {
      const { proposal, position } = await call();
      const { action } = await engine.approvals.show(proposal?.proposal_uuid ?? '');
      actions.push([action.tier, action.key, position.length]);
    }
    expect(actions).toEqual(['grants', 'grants', 'deletes'].map((key) => ['T3', key, 0]));
    expect((await engine.unlink(mine, root, profileOf('human'))).counts.stored).toBe(1);
  });

  it('is no other link by an UPDATE, whoever writes it', async () => {
    const root = (await engine.link(mine, { type: 'co_occurs', to: outer })).receipts[0]?.root_uuid;
    const moved = { ...link(mine, 'pinned', outer), operation: 'UPDATE', root_uuid: root };
    const { code, where } = await refusalOf(engine.write([{ ...moved, cause: 'change' }] as never));
    expect([code, where?.field]).toEqual(['WRITE.REFUSED', 'link_type']);
  });
});

describe('an id that a batch only claims', () => {
  let theirs: string;
  let theirFact: string;
  let me: CallOptions;
  beforeAll(async () => {
    theirs = await scopeOf();
    theirFact =
      (await engine.remember(theirs, { content: 'the victim' })).receipts[0]?.root_uuid ?? '';
    me = as({ principal: 'mallory', tenant: 'local', kind: 'human', scopes: [mine] });
    await write([fact(mine, { idempotency_key: 'k1' })], me);
  });
  const claimed = (uuid: string): object => fact(mine, { uuid, idempotency_key: 'k1' });

  it('is no source, and no end of a link; unheld and absent answer alike', async () => {
    const ends: Readonly<Record<string, (id: string) => object>> = {
      'WRITE.SOURCE_GONE': (id) => fact(mine, { sources: [id] }),
      'WRITE.NOT_FOUND': (id) => link(mine, 'pinned', id),
    };
    for (const [code, second] of Object.entries(ends)) {
      const told = [];
      for (const id of [theirFact, randomUUID()]) {
        const refusal = await refusalOf(write([claimed(id), second(id)], me));
        expect(refusal.code).toBe(code);
        told.push(`${refusal.message}${refusal.fix}`.replaceAll(id, '…'));
      }
      expect(new Set(told).size).toBe(1);
    }
  });

  it('of a conflict is no end either', async () => {
    const turn = (await engine.remember(mine, { content: 'x' }, me)).receipts[0]?.root_uuid;
    const stale = fact(mine, {
      operation: 'UPDATE',
      uuid: theirs,
      root_uuid: turn,
      cause: 'change',
      expected_version: randomUUID(),
    });
    const asked = write([stale, link(mine, 'co_occurs', theirs)], me);
    // Refused for its uuid, which is taken, before its conflict and its link are looked at.
    expect((await refusalOf(asked)).code).toBe('WRITE.REFUSED');
  });

  it('that the key made before is the end that it was, and a new one as well', async () => {
    const first = randomUUID();
    const batch = [
      fact(mine, { uuid: first, idempotency_key: 'k2' }),
      fact(mine, { sources: [first] }),
      link(mine, 'pinned', first),
    ];
    expect((await write(batch, me)).counts.stored).toBe(3);
    const again = [batch[0] ?? {}, fact(mine, { sources: [first] }), link(mine, 'pinned', first)];
    expect((await write(again, me)).counts).toMatchObject({ duplicate: 1, stored: 2 });
  });

  it('and the position of a cascade names scopes that the writer holds', async () => {
    const both = { content: 'of both', sources: [theirFact] };
    await engine.remember(mine, both);
    const victim = as({ principal: 'victim', tenant: 'local', kind: 'human', scopes: [theirs] });
    const { position } = await engine.remember(
      theirs,
      { content: 'v2', corrects: theirFact },
      victim,
    );
    expect(position.map(({ scope }) => scope)).toEqual([theirs]);
  });
});
