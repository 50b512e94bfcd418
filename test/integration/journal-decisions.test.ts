/**
 * The journal names for each operation the manifest that decided it, also where one batch writes
 * scopes of several types.
 */
import { beforeAll, expect, it } from 'vitest';
import { type ContextEngine, LOCAL_PROFILE, type Operation } from '../../src/index.ts';
import { loadManifests } from '../../src/manifest/load.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { ORACLE_MANIFESTS, openEngine } from '../support/engines.ts';

const CALL = { permission_profile: LOCAL_PROFILE };
const digestOf = (name: string): string | undefined =>
  loadManifests({ paths: [ORACLE_MANIFESTS] }).manifests.find((each) => each.name === name)?.digest;

describeOnDatabases('the journal', (open, flavor) => {
  let engine: ContextEngine;
  let opened: TestDatabase | null = null;

  beforeAll(async () => {
    opened = flavor === 'postgres' ? await open() : null;
    engine = await openEngine({ database: opened?.url ? { url: opened.url } : { inMemory: true } });
    return () => engine.close();
  });

  /** Of the last entry of the scope. */
  async function decidedBy(scope: string): Promise<unknown> {
    const lines: Readonly<Record<string, unknown>>[] = [];
    for await (const line of engine.exportScope(scope, CALL))
      lines.push(line as Readonly<Record<string, unknown>>);
    const entries = lines.filter((line) => 'journal' in line).map(({ journal }) => journal);
    return entries.at(-1);
  }

  it('keeps the manifest of each scope of a batch, and none where none serves the type', async () => {
    const made = async (type: string) =>
      (await engine.scopes.create({ type }, CALL)).scope_block_uuid;
    const [oracle, short, other] = [
      await made('oracle_scope'),
      await made('short_scope'),
      await made('of_no_manifest'),
    ];
    const noop = (scope: typeof oracle): Operation => ({
      operation: 'NOOP',
      scope,
      reason: 'seen',
    });
    await engine.write([noop(oracle), noop(short), noop(other)], CALL);
    expect(await decidedBy(oracle)).toMatchObject({
      operation: 'NOOP',
      decision: 'T1',
      manifest_digest: digestOf('oracle'),
    });
    expect(await decidedBy(short)).toMatchObject({ manifest_digest: digestOf('short') });
    expect(await decidedBy(other)).toMatchObject({ manifest_digest: null });
  });
});
