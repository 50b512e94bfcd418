/**
 * What is looked for is what a reader sees: the functions of the database and those of `src/text`
 * agree on every text, and the engine's `forget` and `verify` find what a composition showed.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../connectors/pgvector/driver/sql.ts';
import type { PermissionProfile } from '../../src/index.ts';
import { comparableName, comparableText } from '../../src/text/visible-text.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

const OWNER: PermissionProfile = {
  principal: 'local',
  tenant: 'local',
  kind: 'human',
  scopes: '*',
};

/** Every kind of what is taken away or made equal, and what stands near to it. */
const PIECES = [
  ...[
    'Zoe',
    'ZOË',
    'Zoe\u0308',
    'ﬁ',
    '①',
    '👩‍💻',
    '☺\ufe0f',
    'Ａ',
    'ñ',
    'İ',
    'ΟΔΟΣ',
    '\u1100\u1161',
    '½',
  ],
  ...[' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000', '\u0085', '\u2028', '\ufeff'],
  ...['\u200b', '\u200d', '\u00ad', '\u034f', '\u061c', '\u115f', '\u17b5', '\u180e', '\u202e'],
  ...['\u2064', '\u3164', '\ufe0f', '\uffa0', '\ufff9', '\u{1bca1}', '\u{1d173}', '\u{e0041}'],
  ...['\u0001', '\u0008', '\u000b', '\u001b', '\u007f', '\u009b', '\u1680', '\u205f', '\u2010'],
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join('').replaceAll('\0', ''))
  .filter((text) => text.isWellFormed());

describeOnDatabases('what a reader sees', (open) => {
  let database: Database;
  let url: string | null;

  beforeAll(async () => {
    const opened = await open();
    ({ database, url } = opened);
    if (url !== null) await storeLocalHuman(opened.owner);
  }, 600_000);

  it('is compared alike by the database and by the engine', async () => {
    const given = fc.sample(texts, { numRuns: 3000, seed: 1 });
    const rows = await database.transaction(async (tx) => {
      await tx.query('set local role contextengine_eraser');
      return tx.query(
        `select context_ops.comparable(t #>> '{}') as text,
           context_ops.comparable_name(t #>> '{}') as name
         from jsonb_array_elements($1::jsonb) with ordinality e (t, n) order by n`,
        [JSON.stringify(given)],
      );
    });
    const differing = given.filter(
      (text, at) =>
        // Which letters have capitals differs between versions of Unicode.
        comparableText(text) !== String(rows[at]?.['text']).toLowerCase() ||
        comparableName(text) !== rows[at]?.['name'],
    );
    expect(differing.map((text) => JSON.stringify(text))).toEqual([]);
  });

  it('is what forget and verify look for', async () => {
    const engine = await openEngine({
      database: url === null ? { inMemory: true } : { url },
      manifests: 'manifests',
      embedder: 'off',
      permission_profile: OWNER,
    });
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    await engine.append(scope, {
      role: 'user',
      author: 'Zoe\u0308\u2060',
      content: 'My lo\u0008cker\u200b code\u{e0041} is\u00a04711.',
    });
    const shown = async () =>
      (
        await engine.composeBlockContext({
          scope_block_uuid: scope,
          intent: 'fact',
          query: 'locker code',
          permission_profile: OWNER,
        })
      ).text;
    expect((await shown()).normalize('NFC')).toContain('Zoë: My locker code is\u00a04711.');
    const words = 'locker code is 4711';
    expect((await engine.erasure.verify([words])).found).not.toEqual([]);
    for (const unseen of ['\u200b\u200b\u200b\u200b\u200b', ' \u2060'])
      for (const call of [engine.forget({ text: unseen }), engine.erasure.verify([unseen])])
        expect((await refusalOf(call)).code).toBe('CONFIG.INVALID_VALUE');
    expect((await engine.forget({ text: words }, { now: true })).outcome).toBe('erased');
    expect(await shown()).not.toContain('locker');
    expect((await engine.erasure.verify([words])).found).toEqual([]);
    await engine.append(scope, { role: 'user', author: 'Zoe\u0308\u2060', content: 'Good night.' });
    await engine.forget({ author: 'Zoë' });
    expect(await shown()).not.toContain('Good night');
    await engine.close();
  });
});
