/** What takes long is judged again: an export for each page, an import once its last line is in. */
import { describe, expect, it } from 'vitest';
import {
  type ContextEngine,
  createContextEngine,
  type PermissionProfile,
} from '../../src/index.ts';
import { ORACLE_MANIFESTS, refusalOf } from '../support/engines.ts';

/** Two pages of the journal, and two of turns. */
const TURNS = 700;

interface Judged {
  readonly engine: ContextEngine;
  /** From now on the authority knows the principal as this. */
  readonly judgeAs: (narrow: (claim: PermissionProfile) => PermissionProfile) => void;
}

async function judgedEngine(): Promise<Judged> {
  let judge = (claim: PermissionProfile): PermissionProfile => claim;
  const engine = await createContextEngine({
    database: { inMemory: true },
    manifests: ORACLE_MANIFESTS,
    authority: (claim) => judge(claim),
  });
  return { engine, judgeAs: (narrow) => void (judge = narrow) };
}

const turns = Array.from({ length: TURNS }, (_, index) => ({ content: `turn ${index}` }));

describe('a principal that is narrowed meanwhile', () => {
  it.each([
    ['by its tier', (claim: PermissionProfile) => ({ ...claim, tiers: { reads: 'T2' as const } })],
    ['by its scopes', (claim: PermissionProfile) => ({ ...claim, scopes: [] })],
    ['to another tenant', (claim: PermissionProfile) => ({ ...claim, tenant: 'elsewhere' })],
  ])('%s gets the page that it has of an export, and no other', async (_how, narrow) => {
    const { engine, judgeAs } = await judgedEngine();
    await using _closed = engine;
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    await engine.append(scope, turns);
    const lines: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const line of engine.exportScope(scope)) {
        lines.push(line);
        if (lines.length === 10) judgeAs(narrow);
      }
    };
    expect((await refusalOf(reading())).code).toMatch(/^(PERMISSION|SCOPE)\./);
    expect(lines.length).toBeLessThanOrEqual(1 + 500);
    judgeAs((claim) => claim);
    let whole = 0;
    for await (const _line of engine.exportScope(scope)) whole += 1;
    expect(whole).toBeGreaterThan(2 * TURNS);
  });

  it('does not import what it could import when the first line came', async () => {
    const { engine, judgeAs } = await judgedEngine();
    await using _closed = engine;
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
    await engine.append(scope, turns.slice(0, 5));
    const there = { principal: 'ann', tenant: 'there', kind: 'human', scopes: '*' } as const;
    async function* lines(isNarrowed: boolean): AsyncGenerator<unknown> {
      for await (const line of engine.exportScope(scope)) {
        yield line;
        if (isNarrowed) judgeAs((claim) => ({ ...claim, ...narrowed(claim) }));
      }
    }
    const narrowed = ({ tenant }: PermissionProfile): Partial<PermissionProfile> =>
      tenant === 'there' ? { tiers: { writes: 'excluded' } } : {};
    const refused = engine.importScope(lines(true), { permission_profile: there });
    expect((await refusalOf(refused)).code).toBe('PERMISSION.DENIED');
    judgeAs((claim) => claim);
    expect(await engine.scopes.list({ permission_profile: there })).toEqual([]);
    await engine.importScope(lines(false), { permission_profile: there });
    expect(await engine.scopes.list({ permission_profile: there })).toHaveLength(1);
  });
});
