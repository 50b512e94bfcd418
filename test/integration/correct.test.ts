/** `correct`: what a row should have said all along, and what falls with what it said. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const ABSENT = '00000000-0000-4000-8000-00000000dead';

describe('correct', () => {
  let engine: ContextEngine;
  let scope: string;
  let other: string;

  beforeAll(async () => {
    engine = await openEngine();
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' }));
    ({ scope_block_uuid: other } = await engine.scopes.create({ type: 'short_scope' }));
    return () => engine.close();
  });

  const rootOf = async (written: ReturnType<ContextEngine['remember']>): Promise<string> =>
    (await written).receipts[0]?.root_uuid ?? '';
  const textsOf = async (root: string) =>
    (await engine.history(root)).map(({ row }) => [
      'content' in row ? row.content : 'value' in row ? row.value : '',
      row.cause,
    ]);

  it('retires what was wrong and keeps all that is not named', async () => {
    const fact = await rootOf(
      engine.remember(scope, { content: 'in the cellar', subject: 'safe', tags: ['house'] }),
    );
    const { receipts } = await engine.correct(fact, { content: 'in the attic', reason: 'misread' });
    expect(receipts[0]).toMatchObject({ outcome: 'superseded', reason: 'misread' });
    expect(await textsOf(fact)).toEqual([
      ['in the cellar', 'correction'],
      ['in the attic', null],
    ]);
    const [, right] = await engine.history(fact);
    expect(right?.row).toMatchObject({ subject: 'safe', tags: ['house'], operation: 'UPDATE' });
  });

  it('corrects turns and typed values; one of two values takes only what derives from it', async () => {
    const turn = await rootOf(engine.append(scope, { content: 'I speak German', role: 'user' }));
    const later = await rootOf(engine.append(scope, { content: 'and French', role: 'user' }));
    const sources = (from: string) => ({ sources: [from] });
    const de = await rootOf(
      engine.setTyped(scope, 'ada', 'profile', 'language', 'de', sources(turn)),
    );
    const valid_from = new Date(Date.now() + 60_000);
    await engine.setTyped(scope, 'ada', 'profile', 'language', 'fr', {
      ...sources(later),
      valid_from,
    });
    await engine.correct(turn, { content: 'I speak Danish' });
    expect(await textsOf(de)).toEqual([
      ['de', 'cascade'],
      ['fr', null],
    ]);
    await engine.correct(de, { value: 'it' });
    expect(await textsOf(de)).toEqual([
      ['de', 'cascade'],
      ['fr', 'correction'],
      ['it', null],
    ]);
  });

  it('withdraws what derives from a range, across scopes, and no cache serves it on', async () => {
    const turns = await engine.append(scope, [{ content: 'one' }, { content: 'two' }]);
    const [first, second] = turns.receipts;
    const range = { scope, from_seq: first?.seq ?? 0, to_seq: second?.seq ?? 0 };
    const derived = await rootOf(
      engine.remember(other, { content: 'they counted to two aloud', sources: [range] }),
    );
    const asked = {
      scope_block_uuid: other,
      intent: 'fact' as const,
      query: 'what did they count aloud',
      permission_profile: LOCAL_PROFILE,
    };
    const served = await engine.composeBlockContext(asked);
    expect(served.items.map(({ root_uuid: root }) => root)).toContain(derived);
    await engine.correct(second?.root_uuid ?? '', { content: 'three' });
    const after = await engine.composeBlockContext(asked);
    expect(after.items.map(({ root_uuid: root }) => root)).not.toContain(derived);
    expect(await textsOf(derived)).toEqual([['they counted to two aloud', 'cascade']]);
    const again = engine.remember(other, {
      content: 'x',
      sources: [{ ...range, from_seq: 900, to_seq: 901 }],
    });
    expect((await refusalOf(again)).code).toBe('WRITE.SOURCE_GONE');
  });

  it('a root that is not held answers like one that is not there', async () => {
    const fact = await rootOf(engine.remember(scope, { content: 'not yours' }));
    const permission_profile = {
      principal: 'mallory',
      tenant: 'local',
      kind: 'human' as const,
      scopes: [other],
    };
    const [unheld, absent] = await Promise.all(
      [fact, ABSENT].map((root) =>
        refusalOf(engine.correct(root, { content: 'mine' }, { permission_profile })),
      ),
    );
    expect(unheld?.code).toBe('WRITE.NOT_FOUND');
    expect(unheld?.message.replace(fact, ABSENT)).toBe(absent?.message);
    expect([unheld?.code, unheld?.fix]).toEqual([absent?.code, absent?.fix]);
  });
});
