/**
 * What the write surface says of time arrives in the ledger: ends of corrections, longer values,
 * and which value was wrong.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyRow, ContextEngine } from '../../src/index.ts';
import { at, openEngine, refusalOf, START_MS } from '../support/engines.ts';

const DAY_MS = 86_400_000;

describe('times that a caller names', () => {
  let engine: ContextEngine;
  let scope: string;
  beforeAll(async () => {
    engine = await openEngine({ time: { ms: START_MS } });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'oracle' }));
  });
  afterAll(() => engine.close());
  const rootOf = (result: Awaited<ReturnType<ContextEngine['remember']>>): string =>
    result.receipts[0]?.root_uuid ?? '';
  const believed = async (root: string): Promise<readonly AnyRow['row'][]> =>
    (await engine.history(root)).map(({ row }) => row).filter((row) => row.retired_seq === null);

  it('end a corrected fact', async () => {
    const root = rootOf(await engine.remember(scope, { content: 'the shop is open' }));
    const valid_until = at(START_MS + DAY_MS);
    await engine.remember(scope, { content: 'the shop is closed', corrects: root, valid_until });
    expect(await believed(root)).toMatchObject([{ content: 'the shop is closed', valid_until }]);
  });

  it('extend a typed value', async () => {
    const valid_until = at(START_MS + DAY_MS);
    const root = rootOf(
      await engine.setTyped(scope, 'user', 'places', 'city', 'Oslo', { valid_until }),
    );
    const { counts } = await engine.setTyped(scope, 'user', 'places', 'city', 'Oslo');
    expect(counts).toMatchObject({ duplicate: 0, superseded: 1 });
    expect(await believed(root)).toMatchObject([{ value: 'Oslo', valid_until: null }]);
  });

  it('do not say which of many values was wrong: such a correction is refused and changes nothing', async () => {
    const content = {
      subject: 'user',
      collection: 'places',
      property: 'languages',
      type: 'text',
      cardinality: 'many',
      confidence: 1,
      provenance: {},
    } as const;
    const [no, en] = [
      '00000000-0000-4000-8000-000000000001',
      '00000000-0000-4000-8000-000000000002',
    ];
    const add = (uuid: string, value: string) =>
      ({
        operation: 'ADD',
        table: 'memory_schema_typed',
        scope,
        uuid,
        valid_from: at(START_MS),
        content: { ...content, value },
      }) as never;
    await engine.write([add(no, 'Norwegian'), add(en, 'English')]);
    const correcting = engine.setTyped(scope, 'user', 'places', 'languages', 'Danish', {
      correction: true,
    });
    expect(await refusalOf(correcting)).toMatchObject({
      code: 'WRITE.INVALID',
      fix: expect.stringContaining('root_uuid'),
    });
    for (const root of [no, en]) expect(await believed(root)).toHaveLength(1);
  });
});
