/**
 * Import is untrusted input: a mutated export is refused with a code and leaves nothing behind, or
 * what came of it is exactly what the file says, and nothing else of the tenant changed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SqlSession } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import { ContextEngineError } from '../../src/codes/errors.ts';
import { day, WRITER } from '../../src/conformance/law-operations.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { guardAuthority } from '../../src/cxri/guard/authority.ts';
import type { Line } from '../../src/look-back/scope-format.ts';
import { parseUuid, type Uuid } from '../../src/model/ids.ts';
import { attackSize } from '../support/attack-size.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { factContent, id, makeScope, tenantNamed } from '../support/ledger.ts';
import { batches, play, Script } from '../support/ledger-commands.ts';
import { mutationOf } from '../support/scope-file-mutations.ts';
import { contentOf, grantIn, importLines, linesOf, textOf } from '../support/scope-files.ts';

const VICTIM = id(7, 1);
const VICTIMS = [VICTIM, id(7, 2)];

interface SoundExport {
  readonly scope: Uuid;
  readonly lines: readonly Line[];
}
/** Most histories lead out of their scopes: about one export in four can be imported by itself. */
const HISTORIES_PER_EXPORT = 20;

/** Exports of generated histories that who holds their scope alone can import, with outcomes. */
async function soundExports(count: number): Promise<readonly SoundExport[]> {
  const found: SoundExport[] = [];
  for (let seed = 1; found.length < count; seed += 1) {
    if (seed > count * HISTORIES_PER_EXPORT) throw new Error('too few exports can be imported');
    const authority = guardAuthority(referenceAuthority());
    const script = new Script(`sound${seed}`);
    const tenant = script.tenants[0];
    await authority.write({
      tenant,
      writer: WRITER,
      operations: script.setUp(tenant),
      recorded_at: day(0),
    });
    const [all] = fc.sample(batches(10, 25), { numRuns: 1, seed });
    for (const batch of all ?? []) await play(authority, script, { ...batch, tenant: 0 });
    for (const scope of script.scopes) {
      await recordOutcomes(authority, tenant, scope);
      const lines = await linesOf(authority, tenant, scope);
      const isWhole = await importLines(
        guardAuthority(referenceAuthority()),
        lines,
        grantIn('whole', [scope]),
      ).then(
        () => true,
        () => false,
      );
      if (isWhole) found.push({ scope, lines });
    }
  }
  return found;
}

async function recordOutcomes(authority: Authority, tenant: Script['tenants'][0], scope: Uuid) {
  const event = { scope_uuid: scope, root_uuid: scope, composition_id: id(8, 1), at: day(3) };
  await authority.recordUsage(tenant, {
    events: [{ ...event, kind: 'used' }],
    recorded_at: day(4),
    fold: () => ({
      stability: 2,
      difficulty: 5,
      reviewed_at: day(3),
      utility: 0.5,
      utility_variance: 0.1,
      utility_at: day(3),
      count: 1,
      touched_at: day(3),
    }),
  });
}

interface Target {
  readonly authority: Authority;
  /** Everything that is stored of the tenant, as far as it can be seen from outside. */
  readonly stored: (tenant: string) => Promise<unknown>;
}
interface Tally {
  readonly tried: number;
  readonly accepted: number;
  readonly codes: ReadonlyMap<string, number>;
}

async function attack(target: Target, runs: number, prefix: string): Promise<Tally> {
  const sound = await soundExports(8);
  const codes = new Map<string, number>();
  let accepted = 0;
  let { tenant, victim } = await freshTenant(target.authority, `${prefix}.0`);
  for (let seed = 1; seed <= runs; seed += 1) {
    const exported = sound[seed % sound.length];
    if (!exported) throw new Error('no sound export');
    const { lines, names } = mutationOf(exported.lines, seed, VICTIMS);
    const what = `mutation ${seed}: ${names.join(', ')}`;
    const before = await target.stored(tenant);
    // Half of them by who holds the victims as well: they must not change either.
    const grant = grantIn(
      tenant,
      Math.floor(seed / sound.length) % 2 === 0 ? '*' : [exported.scope],
    );
    try {
      const { scope_block_uuid: scope } = await importLines(target.authority, lines, grant);
      const again = await linesOf(target.authority, tenant, scope);
      expect(contentOf(again) === contentOf(lines), what).toBe(true);
      const kept = textOf(await linesOf(target.authority, tenant, VICTIM));
      expect(kept === victim, what).toBe(true);
      accepted += 1;
      ({ tenant, victim } = await freshTenant(target.authority, `${prefix}.${seed}`));
    } catch (error) {
      if (!(error instanceof ContextEngineError)) throw new Error(what, { cause: error });
      expect(await target.stored(tenant), what).toEqual(before);
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    }
  }
  return { tried: runs, accepted, codes };
}

/** With a scope that the importer does not hold, and what is in it. */
async function freshTenant(
  authority: Authority,
  tenant: string,
): Promise<{ readonly tenant: string; readonly victim: string }> {
  await authority.write({
    tenant: tenantNamed(tenant),
    writer: WRITER,
    recorded_at: day(1),
    operations: [
      makeScope(VICTIM),
      {
        operation: 'ADD',
        table: 'memory_open_set',
        scope: VICTIM,
        uuid: id(7, 2),
        content: factContent('secret'),
        valid_from: day(1),
      },
    ],
  });
  return { tenant, victim: textOf(await linesOf(authority, tenant, VICTIM)) };
}

function expectSound({ tried, accepted, codes }: Tally, connector: string): void {
  const refused = [...codes.values()].reduce((sum, count) => sum + count, 0);
  // biome-ignore lint/suspicious/noConsole: the bar is a number that a run reports
  console.log(`${connector}: ${tried} mutations, ${accepted} accepted as they are,`, codes);
  expect(accepted + refused).toBe(tried);
  expect(accepted).toBeGreaterThan(tried / 100);
  expect(codes.get('WRITE.INVALID')).toBeGreaterThan(tried / 3);
  for (const code of codes.keys()) expect(code).toMatch(/^(WRITE|SCOPE|PERMISSION|CONFIG)\./);
}

describe('mutated exports [reference]', () => {
  it('are refused and leave nothing, or come back as they are', async () => {
    const authority = guardAuthority(referenceAuthority());
    const stored = async (tenant: string): Promise<unknown> => {
      const { details } = await authority.health();
      const held = { all: true, uuids: new Set<Uuid>() };
      return [details, await authority.listScopes(tenantNamed(tenant), held, day(400))];
    };
    expectSound(await attack({ authority, stored }, attackSize(700), 'attack'), 'reference');
  }, 1_800_000);
});

describeOnDatabases('mutated exports', (open, flavor) => {
  it('are refused and leave nothing, or come back as they are', async () => {
    const { database, owner } = await open();
    const ledger = [
      ...['blocks', 'subtree_summaries', 'memory_open_set', 'memory_schema_typed'],
      'context_links',
    ].map((table) => `context.${table}`);
    const rest = ['operations', 'scope_heads', 'usage_events', 'postings', 'audit'];
    const all = [...ledger, ...rest.map((table) => `context_ops.${table}`)];
    // A denial is audited: that entry is the answer, not a leftover.
    const counts = all.map(
      (table, index) => `(select count(*) from ${table} where tenant_id = $1
        ${table.endsWith('audit') ? "and decision = 'allowed'" : ''}) as n${index}`,
    );
    const counted = async (tx: SqlSession, tenant: string): Promise<unknown> => {
      await tx.query(
        `select set_config('contextengine.tenant', $1, true), set_config('contextengine.scopes', '*', true)`,
        [tenant],
      );
      return tx.query(`select ${counts.join(', ')}`, [tenant]);
    };
    const stored = (tenant: string): Promise<unknown> =>
      (flavor === 'pglite' ? database : owner).transaction((tx) => counted(tx, tenant));
    const authority = guardAuthority(pgvectorAuthority(database));
    const tally = await attack({ authority, stored }, attackSize(300), `attack.${flavor}`);
    expectSound(tally, flavor);
  }, 1_800_000);
});

/** There was no undo in 0.1.0: what it brings back cannot be told without the journal. */
const hasUndo = (lines: SoundExport['lines']): boolean =>
  lines.some((line) => /"operation":"(?:UNDO|RETURN)"/.test(JSON.stringify(line)));

it('a scope of 0.1.0, without a journal, comes back with every row', async () => {
  const authority = guardAuthority(referenceAuthority());
  const ofThen = (await soundExports(12)).filter(({ lines }) => !hasUndo(lines)).slice(0, 6);
  expect(ofThen).toHaveLength(6);
  for (const [index, { lines }] of ofThen.entries()) {
    const [header] = lines;
    // A link of then does not know the head at which its source was read.
    const rows = lines
      .filter((line) => 'row' in line)
      .map((line) =>
        line['table'] === 'context_links'
          ? { ...line, row: { ...Object(line['row']), seen_seq: null } }
          : line,
      );
    const old = [
      {
        format: 'contextengine.scope/1',
        scope_block_uuid: header?.['scope_block_uuid'],
        head: header?.['head'],
      },
      ...rows.map(({ table, row }: Readonly<Record<string, unknown>>) => ({
        table,
        row: { tenant_id: 'old', ...Object(row) },
      })),
    ];
    const tenant = `old${index}`;
    await importLines(authority, old, grantIn(tenant));
    const scope = parseUuid(header?.['scope_block_uuid'], 'scope');
    const again = await linesOf(authority, tenant, scope);
    expect(textOf(again.filter((line) => 'row' in line))).toBe(textOf(rows));
    // And once more, with the journal that the import made.
    await importLines(authority, again, grantIn(`${tenant}.again`));
    expect(textOf(await linesOf(authority, `${tenant}.again`, scope))).toBe(textOf(again));
  }
});
