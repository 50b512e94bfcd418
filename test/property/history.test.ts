/**
 * Whatever sequence of writes made a scope, its export obeys the laws of a history and comes back
 * the same.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { day, WRITER } from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { guardAuthority } from '../../src/cxri/guard/authority.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { type Batch, batches, play, Script } from '../support/ledger-commands.ts';
import { grantIn, importLines, linesOf, textOf } from '../support/scope-files.ts';

/** The laws are the same for both connectors; the reference is fast. */
const RUNS = { reference: 120, pgvector: 4 };

type Seen = Record<'equal' | 'missing' | 'CASCADE' | 'cascade' | 'DELETE' | 'superseded', number>;

describeOnDatabases('an export', (open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  let runs = 0;

  const check = async (name: keyof typeof RUNS, open: () => Authority): Promise<Seen> => {
    const seen: Seen = { equal: 0, missing: 0, CASCADE: 0, cascade: 0, DELETE: 0, superseded: 0 };
    await fc.assert(
      fc.asyncProperty(batches(10, 40), async (all: readonly Batch[]) => {
        runs += 1;
        const authority = guardAuthority(open());
        const script = new Script(`history${runs}`);
        for (const tenant of script.tenants)
          await authority.write({
            tenant,
            writer: WRITER,
            operations: script.setUp(tenant),
            recorded_at: day(0),
          });
        for (const batch of all) await play(authority, script, batch);
        await checkAll(authority, script, seen);
      }),
      { numRuns: RUNS[name] },
    );
    return seen;
  };

  it('of the reference connector comes back the same, unless a source elsewhere is missing', async () => {
    const seen = await check('reference', () => referenceAuthority());
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  }, 600_000);

  it('of pgvector comes back the same, unless a source elsewhere is missing', async () => {
    const { equal } = await check('pgvector', () => pgvectorAuthority(database.database));
    expect(equal).toBeGreaterThan(0);
  }, 600_000);

  async function checkAll(authority: Authority, script: Script, seen: Seen): Promise<void> {
    const tenant = script.tenants[0];
    for (const [index, scope] of script.scopes.entries()) {
      const lines = await linesOf(authority, tenant, scope);
      const text = textOf(lines);
      for (const word of ['CASCADE', 'cascade', 'DELETE', 'superseded'] as const)
        if (text.includes(`"${word}"`)) seen[word] += 1;
      const target = `${tenant}.copy`;
      try {
        await importLines(authority, lines, grantIn(target));
      } catch (error) {
        // What a scope derives from elsewhere is imported first; two scopes may derive from each
        // other.
        expect(error).toBeInstanceOf(ContextEngineError);
        expect(error).toMatchObject({ code: expect.stringMatching(/SOURCE_GONE|NOT_FOUND/) });
        seen.missing += 1;
        continue;
      }
      expect(textOf(await linesOf(authority, `${tenant}.copy`, scope)), `${index}`).toBe(text);
      seen.equal += 1;
    }
  }
});
