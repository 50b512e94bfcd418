/**
 * A turn that is dated ahead would be the latest of its scope for ever, and push all others out.
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseInstant, parseUuid } from '../../src/index.ts';
import { at, openEngine, refusalOf, SEED_MANIFEST, START_MS } from '../support/engines.ts';

it('refuses a turn that occurs long after it begins', async () => {
  const time = { ms: START_MS };
  await using engine = await openEngine({ time, manifests: SEED_MANIFEST });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
  const raw = engine.write([
    {
      operation: 'ADD',
      table: 'blocks',
      scope,
      uuid: parseUuid(randomUUID(), 'uuid'),
      valid_from: parseInstant(at(START_MS), 'valid_from'),
      content: {
        parent_uuid: scope,
        block_type: 'turn',
        is_scope: false,
        role: 'user',
        author: null,
        occurred_at: parseInstant('9999-01-01T00:00:00.000Z', 'occurred_at'),
        title: null,
        content: 'always last',
        tags: [],
        metadata: {},
        provenance: {},
      },
    },
  ]);
  expect((await refusalOf(raw)).code).toBe('WRITE.INVALID');
  expect((await engine.scopes.list()).map(({ head }) => head)).toEqual([1]);
});

it('takes a turn of the past, one a little ahead of the clock, and one that is planned', async () => {
  const time = { ms: START_MS };
  await using engine = await openEngine({ time, manifests: SEED_MANIFEST });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
  const times = [at(START_MS - 86_400_000), at(START_MS + 60_000), at(START_MS + 86_400_000)];
  const { counts } = await engine.append(
    scope,
    times.map((occurred_at) => ({ content: `said at ${occurred_at}`, occurred_at })),
  );
  expect(counts.stored).toBe(3);
});
