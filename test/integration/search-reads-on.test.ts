/** A search by words is cut by what the caller may see, never before it. */
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { PartResult, SearchPart } from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine } from '../support/engines.ts';
import { blockContent, day, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('reads-on');
/** More than a search reads of one word at first. */
const NEWER = 3_300;
const SCOPES = { filtered: id(1, 1), expired: id(1, 2), later: id(1, 3), plain: id(1, 4) };

const block = (
  scope: Uuid,
  uuid: Uuid,
  text: string,
  more: { readonly type?: string; readonly until?: number } = {},
): Operation => ({
  operation: 'ADD',
  table: 'blocks',
  scope,
  uuid,
  valid_from: day(0),
  ...(more.until !== undefined && { valid_until: day(more.until) }),
  content: blockContent(text, day(0), more.type === undefined ? {} : { block_type: more.type }),
});

/**
 * One old row of each scope, then thousands of newer ones with the same word that a caller does not
 * see.
 */
async function fill(authority: Authority): Promise<void> {
  const write = (operations: readonly Operation[]) =>
    authority.write({ tenant: TENANT, writer: WRITER, recorded_at: day(0), operations });
  await write(Object.values(SCOPES).map((scope) => makeScope(scope)));
  const old = Object.values(SCOPES).map((scope, n) => block(scope, id(2, n), 'the boiler valve'));
  await write(old);
  const noise = (
    scope: Uuid,
    family: number,
    more: { readonly type?: string; readonly until?: number },
  ) =>
    write(
      Array.from({ length: NEWER }, (_, n) => block(scope, id(family, n), 'boiler news', more)),
    );
  await noise(SCOPES.filtered, 3, { type: 'log' });
  await noise(SCOPES.expired, 4, { until: 1 });
  await noise(SCOPES.later, 5, {});
  await noise(SCOPES.plain, 6, {});
}

describeOnDatabases('a word in thousands of newer rows that are not seen', (open) => {
  let authority: Authority;
  const oracle = referenceAuthority();
  beforeAll(async () => {
    authority = pgvectorAuthority((await open()).database);
    await fill(authority);
    await fill(oracle);
  }, 600_000);

  const ask = async (
    of: Authority,
    scope: Uuid,
    { head = 10_000_000, ...part }: Partial<SearchPart> & { readonly head?: number },
  ): Promise<Extract<PartResult, { ok: true }>> => {
    const { parts } = await of.query({
      tenant: TENANT,
      position: [{ scope, head }],
      valid_at: day(2),
      parts: [{ id: 'a', table: 'blocks', mode: 'search', text: 'boiler', limit: 5, ...part }],
    });
    if (parts[0]?.ok !== true) throw new Error(JSON.stringify(parts[0]));
    return parts[0];
  };
  const shown = ({ hits }: Extract<PartResult, { ok: true }>) =>
    hits.map(({ row, signals }) => [row.uuid, signals.lexical]);

  it.each([
    ['by a filter', SCOPES.filtered, { filter: { field: 'block_type', eq: 'turn' } }],
    ['because their time is over', SCOPES.expired, {}],
    ['because they were written after the position', SCOPES.later, { head: 2 }],
  ] as const)('finds the one that is seen behind those hidden %s', async (_why, scope, part) => {
    const found = await ask(authority, scope, part);
    expect(shown(found)).toEqual(shown(await ask(oracle, scope, part)));
    expect(found.hits).toHaveLength(1);
    expect(found.is_cut).toBeUndefined();
  });

  it('says that it is cut where an old row could belong to the best', async () => {
    const found = await ask(authority, SCOPES.plain, {});
    expect(found.hits).toHaveLength(5);
    expect(found.is_cut).toBe(true);
    const rare = await ask(authority, SCOPES.plain, { text: 'valve', limit: 1 });
    expect(rare.is_cut).toBeUndefined();
    expect(shown(rare)).toEqual(
      shown(await ask(oracle, SCOPES.plain, { text: 'valve', limit: 1 })),
    );
  });
});

describeOnDatabases('a composition whose search was cut', (open, flavor) => {
  it('says so under `degraded`, and is served from the cache all the same', async () => {
    const url = flavor === 'postgres' ? (await open()).url : null;
    const engine = await openEngine({
      embedder: 'off',
      database: url === null ? { inMemory: true } : { url },
    });
    try {
      const profile = { principal: 'ada', kind: 'human', tenant: 'cut', scopes: '*' } as const;
      const { scope_block_uuid: scope } = await engine.scopes.create(
        { type: 'short_scope', title: 'a' },
        { permission_profile: profile },
      );
      for (let begun = 0; begun < NEWER; begun += 300)
        await engine.remember(
          scope,
          Array.from({ length: 300 }, (_, n) => ({ content: `boiler news ${begun + n}` })),
          { permission_profile: profile },
        );
      const call = () =>
        engine.composeBlockContext({
          scope_block_uuid: scope,
          intent: 'fact',
          query: 'boiler',
          permission_profile: profile,
        });
      const first = await call();
      expect(first.degraded.map(({ part }) => part)).toEqual(['search']);
      expect(first.degraded[0]?.reason).toContain('`open_set`');
      expect((await call()).cache.state).toBe('hit');
    } finally {
      await engine.close();
    }
  }, 600_000);
});
