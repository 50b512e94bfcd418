/**
 * An import that says of a link that it ends must say that it has ended: else its ends are checked.
 */
import { expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { guardAuthority } from '../../src/cxri/guard/authority.ts';
import type { Line } from '../../src/look-back/scope-format.ts';
import type { LinkType } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf } from '../support/engines.ts';
import {
  day,
  factContent,
  id,
  linkContent,
  makeScope,
  tenantNamed,
  WRITER,
} from '../support/ledger.ts';
import { grantIn, IMPORTED, importLines, linesOf, signed } from '../support/scope-files.ts';

const VICTIM = id(7, 1);
const VICTIM_FACT = id(7, 2);
const OWN = id(6, 1);
const OWN_FACT = id(6, 2);
const LINK = id(6, 3);

/** A scope with a fact, in each of the tenants. */
const factIn = (scope: Uuid, uuid: Uuid) =>
  [
    makeScope(scope),
    {
      operation: 'ADD',
      table: 'memory_open_set',
      scope,
      uuid,
      content: factContent('a fact'),
      valid_from: day(1),
    },
  ] as const;

/** An export in which a link to the victim was closed at `until`. */
async function exportWith(
  authority: Authority,
  { tenant, type, until }: { tenant: string; type: LinkType; until: Instant },
): Promise<readonly Line[]> {
  const to = type === 'inherits' ? VICTIM : VICTIM_FACT;
  const write = { tenant: tenantNamed(tenant), writer: WRITER, recorded_at: day(2) };
  const made = type === 'derived_from' ? 'co_occurs' : type;
  await authority.write({
    ...write,
    operations: [
      ...factIn(VICTIM, VICTIM_FACT),
      ...factIn(OWN, OWN_FACT),
      {
        operation: 'ADD',
        table: 'context_links',
        scope: OWN,
        uuid: LINK,
        content: linkContent(made, type === 'inherits' ? OWN : OWN_FACT, to),
        valid_from: day(1),
      },
    ],
  });
  await authority.write({
    ...write,
    operations: [
      {
        operation: 'DELETE',
        table: 'context_links',
        scope: OWN,
        root_uuid: LINK,
        cause: 'change',
        valid_from: until,
      },
    ],
  });
  const lines = await linesOf(authority, tenant, OWN);
  // Lineage is not closed by a write: only a forger says so.
  return signed(
    lines.map((line) => JSON.parse(JSON.stringify(line).replace(`"${made}"`, `"${type}"`)) as Line),
  );
}

const TYPES: readonly LinkType[] = ['inherits', 'pinned', 'co_occurs', 'derived_from'];

async function attack(authority: Authority, prefix: string): Promise<void> {
  for (const type of TYPES) {
    const [from, to] = [`${prefix}.${type}.from`, `${prefix}.${type}.to`];
    const lines = await exportWith(authority, { tenant: from, type, until: day(900) });
    const write = { tenant: tenantNamed(to), writer: WRITER, recorded_at: day(2) };
    await authority.write({ ...write, operations: [...factIn(VICTIM, VICTIM_FACT)] });
    const refused = await refusalOf(importLines(authority, lines, grantIn(to, [OWN])));
    expect([type, refused.code]).toEqual([
      type,
      expect.stringMatching(/^(SCOPE.NOT_FOUND|WRITE.NOT_FOUND|WRITE.SOURCE_GONE)$/),
    ]);
    await importLines(authority, lines, grantIn(to, [OWN, VICTIM]));
  }
  const lines = await exportWith(authority, {
    tenant: `${prefix}.ended`,
    type: 'pinned',
    until: day(3),
  });
  await importLines(authority, lines, grantIn(`${prefix}.over`, [OWN]));
  expect(day(900) > IMPORTED && day(3) < IMPORTED).toBe(true);
}

it('a link that ends in the future is in force [reference]', async () => {
  await attack(guardAuthority(referenceAuthority()), 'reference');
});

describeOnDatabases('a link that ends in the future', (open, flavor) => {
  it('is in force', async () => {
    const { database } = await open();
    await attack(guardAuthority(pgvectorAuthority(database)), flavor);
  });
});
