import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { day, WRITER } from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { type Batch, batches, play, Script } from '../support/ledger-commands.ts';
import { foundOf, ledgerOf, positionOf, sightOf } from '../support/ledger-sights.ts';

const RUNS = 12;
/**
 * Fixed, because the outcomes that the runs must meet are counted; other property tests draw
 * theirs.
 */
const SEED = 7;

async function setUp(authority: Authority, prefix: string): Promise<Script> {
  const script = new Script(prefix);
  for (const tenant of script.tenants)
    await authority.write({
      tenant,
      writer: WRITER,
      operations: script.setUp(tenant),
      recorded_at: day(0),
    });
  return script;
}

describeOnDatabases('pgvector and the reference connector agree', (open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  let runs = 0;

  it('on receipts and refusals, on every row, and on what is seen and found at every day and position', async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(batches(10, 20), async (all: readonly Batch[]) => {
        runs += 1;
        const authorities = [referenceAuthority(), pgvectorAuthority(database.database)] as const;
        const scripts = [
          await setUp(authorities[0], `agree${runs}`),
          await setUp(authorities[1], `agree${runs}`),
        ] as const;
        for (const batch of all) {
          const [expected, actual] = [
            await play(authorities[0], scripts[0], batch),
            await play(authorities[1], scripts[1], batch),
          ];
          expect(actual).toEqual(expected);
          for (const outcome of outcomesOf(expected))
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
        for (const tenant of scripts[0].tenants) {
          expect(await ledgerOf(authorities[1], scripts[1], tenant)).toEqual(
            await ledgerOf(authorities[0], scripts[0], tenant),
          );
          const now = await positionOf(authorities[0], scripts[0], tenant);
          expect(await positionOf(authorities[1], scripts[1], tenant)).toEqual(now);
          const earlier = now.map(({ scope, head }) => ({ scope, head: Math.ceil(head / 2) }));
          for (const position of [now, earlier]) {
            expect(await sightOf(authorities[1], scripts[1], { tenant, position })).toEqual(
              await sightOf(authorities[0], scripts[0], { tenant, position }),
            );
            expect(await foundOf(authorities[1], scripts[1], { tenant, position })).toEqual(
              await foundOf(authorities[0], scripts[0], { tenant, position }),
            );
          }
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
    for (const outcome of [
      'stored',
      'superseded',
      'duplicate',
      'conflict',
      'WRITE.NOT_FOUND',
      'WRITE.SOURCE_GONE',
      'WRITE.IDEMPOTENCY_CONFLICT',
    ])
      expect(outcomes.get(outcome) ?? 0, `the runs met ${outcome}`).toBeGreaterThan(0);
  }, 600_000);
});

const outcomesOf = (answer: unknown): readonly string[] => {
  if (typeof answer === 'string') return [answer];
  const { told } = answer as { readonly told: readonly { readonly outcome: string }[] };
  return told.map(({ outcome }) => outcome);
};
