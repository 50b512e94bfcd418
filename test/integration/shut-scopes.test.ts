/** A scope that is shut by its own manifest stays shut, also while it is forgotten. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { newKey, signed } from '../support/approvals.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { ORACLE_MANIFESTS, openEngine, refusalOf } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

const SHUT = {
  sealed: 'approvals: T3',
  shut: 'approvals: excluded',
  vault: 'reads: excluded',
} as const;
type Shut = keyof typeof SHUT;

const manifestOf = (name: Shut): string => `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: ${name}_scope }
spec:
  layers: { recent: { limit: 4 } }
  budget: { total_tokens: 4000 }
  permission: { ${SHUT[name]} }
`;

const profile = (principal: string, more: Partial<PermissionProfile> = {}) => ({
  permission_profile: { principal, tenant: 'local', kind: 'human', scopes: '*', ...more } as const,
});
const carol = profile('carol');
const frank = profile('frank');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function manifestsWith(...names: readonly Shut[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'shut-scopes-'));
  folders.push(folder);
  cpSync(ORACLE_MANIFESTS, folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, `${name}.yaml`), manifestOf(name));
  return folder;
}

describeOnDatabases('scopes that are shut', (open, flavor) => {
  const key = newKey();
  let opened: TestDatabase | null = null;
  beforeAll(async () => {
    opened = flavor === 'postgres' ? await open() : null;
    if (opened) await storeLocalHuman(opened.owner);
  });

  async function engineWith(name: Shut): Promise<ContextEngine> {
    const engine = await openEngine({
      database: opened?.url ? { url: opened.url } : { inMemory: true },
      permission_profile: LOCAL_PROFILE,
      embedder: 'off',
      manifests: manifestsWith(name),
    });
    const rights = { kind: 'human', scopes: '*' } as const;
    await engine.principals.set({ principal: 'carol', ...rights, tiers: { approvals: 'T1' } });
    await engine.principals.set({ principal: 'frank', ...rights, tiers: { redactions: 'T2' } });
    return engine;
  }
  async function plant(engine: ContextEngine, name: Shut) {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: `${name}_scope` });
    const turn = { author: 'Una', role: 'user', content: 'in the shut room' } as const;
    const { receipts } = await engine.append(scope, turn);
    return { scope, root: receipts[0]?.root_uuid ?? '' };
  }
  async function returning(engine: ContextEngine, scope: string) {
    const { redaction_uuid: redaction } = await engine.forget({ scope });
    const { proposal } = await engine.erasure.bringBack(redaction, frank);
    if (!proposal) throw new Error('nothing waits');
    return proposal;
  }

  it('asks for the signature that the manifest of a forgotten scope asks for', async () => {
    await using engine = await engineWith('sealed');
    const { scope } = await plant(engine, 'sealed');
    const { proposal_uuid: id, digest } = await returning(engine, scope);
    const refused = await refusalOf(engine.approvals.approve(id, undefined, carol));
    expect(refused.code).toBe('PERMISSION.SIGNATURE_INVALID');
    await engine.principals.addKey('carol', key.publicKey);
    expect((await engine.approvals.approve(id, signed(digest, key), carol)).state).toBe('approved');
  });

  it('lets nobody approve its return where its manifest lets nobody approve', async () => {
    await using engine = await engineWith('shut');
    const { scope } = await plant(engine, 'shut');
    const { proposal_uuid: id } = await returning(engine, scope);
    const refused = await refusalOf(engine.approvals.approve(id, undefined, carol));
    expect(refused.code).toBe('PERMISSION.DENIED');
  });

  it('is absent for who may neither read it nor forget it alone, by any id', async () => {
    await using engine = await engineWith('vault');
    const { scope, root } = await plant(engine, 'vault');
    const absent = '00000000-0000-4000-8000-00000000dead';
    for (const kind of ['root', 'block', 'version', 'scope'] as const) {
      const [there, none] = await Promise.all(
        [kind === 'scope' ? scope : root, absent].map(async (id) => {
          const error = await refusalOf(engine.forget({ [kind]: id } as never, frank));
          return [error.code, error.message.replace(id, '')];
        }),
      );
      expect(there).toEqual(none);
    }
    const { redaction_uuid: redaction } = await engine.forget({ scope });
    const refused = await refusalOf(engine.erasure.bringBack(redaction, frank));
    expect(refused.code).toBe('WRITE.NOT_FOUND');
    expect((await engine.erasure.bringBack(redaction)).state).toBe('brought_back');
  });
});
