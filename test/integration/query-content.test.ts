import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { blockContent, day, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('content');
const SCOPE = id(1, 1);

/**
 * `count` words of two four-byte letters with a hyphen, all different: what fills a text index
 * fastest.
 */
const hyphenated = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) =>
      `${String.fromCodePoint(0x20000 + (n % 40_000))}-${String.fromCodePoint(0x20000 + ((n * 7 + Math.floor(n / 40_000)) % 40_000))}`,
  ).join(' ');

describeOnDatabases('texts that strain the index', (open) => {
  let authority: Authority;
  beforeAll(async () => {
    authority = pgvectorAuthority((await open()).database);
    await authority.write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(0),
      operations: [makeScope(SCOPE)],
    });
  });

  const texts: readonly (readonly [string, string])[] = [
    ['hyphenated four-byte words', hyphenated(60_000)],
    ['a megabyte without a space', 'x'.repeat(1_000_000)],
    ['a megabyte of CJK', '語'.repeat(350_000)],
    ['200,000 different numbers', Array.from({ length: 200_000 }, (_, n) => String(n)).join(' ')],
    [
      'addresses',
      Array.from({ length: 30_000 }, (_, n) => `a${n}.example.com/p${n}/q-${n}`).join(' '),
    ],
    ['quotes, operators and backslashes', `it's \\ 'a' & !b | (c) <-> d:* "e" `.repeat(1000)],
  ];

  it.each(texts)(
    '%s are stored whole, and neither they nor a query made of them are an error',
    async (name, content) => {
      const uuid = id(
        2,
        texts.findIndex(([known]) => known === name),
      );
      const { position } = await authority.write({
        tenant: TENANT,
        writer: WRITER,
        recorded_at: day(0),
        operations: [
          {
            operation: 'ADD',
            table: 'blocks',
            scope: SCOPE,
            uuid,
            valid_from: day(0),
            content: blockContent(content, day(0)),
          },
        ],
      });
      const [entry] = (
        await authority.read({ tenant: TENANT, kind: 'versions', scopes: [SCOPE], uuids: [uuid] })
      ).rows;
      expect(entry?.table === 'blocks' && entry.row.content === content).toBe(true);
      const { parts } = await authority.query({
        tenant: TENANT,
        position,
        valid_at: day(1),
        parts: [{ id: 'a', table: 'blocks', mode: 'search', text: content, limit: 10 }],
      });
      expect(parts[0]?.ok).toBe(true);
    },
  );

  it('a word that no text has finds nothing; one among many words is found', async () => {
    const uuid = id(3, 1);
    const operations = [
      {
        operation: 'ADD',
        table: 'blocks',
        scope: SCOPE,
        uuid,
        valid_from: day(0),
        content: blockContent('the quokka sleeps', day(0)),
      },
    ] as const;
    const { position } = await authority.write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(0),
      operations,
    });
    const ask = async (text: string) => {
      const { parts } = await authority.query({
        tenant: TENANT,
        position,
        valid_at: day(1),
        parts: [{ id: 'a', table: 'blocks', mode: 'search', text, limit: 10 }],
      });
      return parts[0]?.ok ? parts[0].hits : [];
    };
    expect(await ask('axolotl')).toEqual([]);
    const [hit] = await ask(
      `where are quokkas ${Array.from({ length: 26 }, (_, n) => `unheard${String.fromCodePoint(97 + n)}x`).join(' ')}`,
    );
    expect(hit?.row.uuid).toBe(uuid);
    // A rare word of 27, and what BM25 gives for one occurrence in a short text.
    expect(hit?.signals.lexical).toBeGreaterThan(0.01);
    expect(hit?.signals.lexical).toBeLessThan(1 / 16);
  });

  it('a session keeps the statements of its parts, and begins anew before they pile up', async () => {
    const { database } = await open();
    const fresh = pgvectorAuthority(database);
    const { position } = await fresh.write({
      tenant: TENANT,
      writer: WRITER,
      recorded_at: day(0),
      operations: [makeScope(SCOPE)],
    });
    const list = {
      id: 'a',
      table: 'blocks',
      mode: 'list',
      limit: 5,
      order: { by: 'uuid', direction: 'asc' },
    } as const;
    const ask = async (title: string): Promise<void> => {
      const { parts } = await fresh.query({
        tenant: TENANT,
        position,
        valid_at: day(1),
        parts: [{ ...list, filter: { field: 'title', eq: title } }],
      });
      expect(parts[0]).toMatchObject({ ok: true, hits: [] });
    };
    const kept = () =>
      database
        .query(
          `select count(*)::integer as n from pg_prepared_statements where starts_with(name, 'contextengine_')`,
        )
        .then(([row]) => Number(row?.['n']));
    // A pool hands out sessions as it likes, but one after the other it is the same.
    for (let n = 0; n < 3; n += 1) await ask('again');
    expect(await kept()).toBe(1);
    for (let n = 0; n < 70; n += 1) await ask(`once ${n}`);
    expect(await kept()).toBeLessThanOrEqual(64);
    expect(await kept()).toBeGreaterThan(1);
    await ask('x'.repeat(1000));
    await ask('x'.repeat(1000));
    expect(await kept()).toBe(7);
  });
});
