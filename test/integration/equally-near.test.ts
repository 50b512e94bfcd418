/**
 * Vectors that are equally near a query: the search answers with the rows that the order names,
 * whatever it had looked at first.
 */
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import type { SearchPart } from '../../src/cxri/contract.ts';
import type { Operation } from '../../src/model/operation.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { blockContent, day, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';

const TENANT = tenantNamed('equally-near');
const SCOPE = id(1, 1);
const SPACE = { provider: 'test', model: 'ties', dimensions: 2 } as const;
/** More than a search for five looks at, at first and when it looks on. */
const SAME = 300;
const HIDDEN = 120;

/** Rows of one text and one vector; the later ones are valid from later, so they come first. */
async function fill(authority: Authority): Promise<void> {
  const write = (operations: readonly Operation[]) =>
    authority.write({ tenant: TENANT, writer: WRITER, recorded_at: day(0), operations });
  await write([makeScope(SCOPE)]);
  const rows = Array.from({ length: SAME }, (_, n) => ({
    uuid: id(2, n),
    values: [1, 0],
    type: n < HIDDEN ? 'log' : 'turn',
  }));
  const near = { uuid: id(3, 0), values: [0, 1], type: 'turn' };
  for (const [n, { uuid, type }] of [...rows, near].entries())
    await write([
      {
        operation: 'ADD',
        table: 'blocks',
        scope: SCOPE,
        uuid,
        valid_from: day(n / (2 * SAME)),
        content: blockContent('the same', day(0), { block_type: type }),
      },
    ]);
  await authority.ensureSpace(SPACE);
  await authority.storeEmbeddings(
    'test/ties/2',
    [...rows, near].map(({ uuid, values }) => ({
      tenant: TENANT,
      scope_uuid: SCOPE,
      table: 'blocks',
      uuid,
      ordinal: 0,
      origin: 'content',
      values,
    })),
  );
}

describeOnDatabases('a query that hundreds of vectors are equally near to', (open) => {
  let authority: Authority;
  const oracle = referenceAuthority();
  beforeAll(async () => {
    authority = pgvectorAuthority((await open()).database);
    await fill(authority);
    await fill(oracle);
  }, 600_000);

  const ask = async (of: Authority, part: Partial<SearchPart>) => {
    const { parts } = await of.query({
      tenant: TENANT,
      position: [{ scope: SCOPE, head: 10_000_000 }],
      valid_at: day(2),
      parts: [
        {
          id: 'a',
          table: 'blocks',
          mode: 'search',
          vector: { space: 'test/ties/2', values: [1, 0] },
          limit: 5,
          ...part,
        },
      ],
    });
    if (parts[0]?.ok !== true) throw new Error(JSON.stringify(parts[0]));
    return parts[0].hits.map(({ row, signals }) => [row.uuid, signals.dense]);
  };

  it.each([
    ['of all', {}],
    ['of those that a filter leaves', { filter: { field: 'block_type', eq: 'log' } }],
    ['of nearly all', { limit: SAME - 1 }],
    ['of all and the next', { limit: SAME + 1 }],
  ] as const)('answers with the latest %s', async (_which, part) => {
    const found = await ask(authority, part);
    expect(found).toEqual(await ask(oracle, part));
  });
});
