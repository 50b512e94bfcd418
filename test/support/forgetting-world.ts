/** People who forget and who approve: `erin` may not alone, `carol` signs, `frank` holds T2. */
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { type ApprovalKey, newKey } from './approvals.ts';
import type { OpenTestDatabase, TestDatabase } from './databases.ts';
import { openEngine, START_MS, type TestClock } from './engines.ts';
import { storeLocalHuman } from './local-human.ts';

type By = { readonly permission_profile: PermissionProfile };

export const profileOf = (principal: string, more: Partial<PermissionProfile> = {}): By => ({
  permission_profile: { principal, tenant: 'local', kind: 'human', scopes: '*', ...more },
});
export const CAROL = profileOf('carol');
export const ERIN = profileOf('erin');
export const FRANK = profileOf('frank');

export interface ForgettingWorld {
  /** The server's; none = the engine opened its own. */
  readonly opened: TestDatabase | null;
  readonly engine: ContextEngine;
  readonly scope: string;
  readonly time: TestClock;
  /** Of `carol`. */
  readonly key: ApprovalKey;
}

export async function openForgettingWorld(
  open: OpenTestDatabase,
  isServer: boolean,
): Promise<ForgettingWorld> {
  const opened = isServer ? await open() : null;
  const time: TestClock = { ms: START_MS };
  const key = newKey();
  const engine = await openEngine({
    database: opened?.url ? { url: opened.url } : { inMemory: true },
    permission_profile: LOCAL_PROFILE,
    embedder: 'off',
    time,
  });
  if (opened) await storeLocalHuman(opened.owner);
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'short_scope' });
  const rights = { kind: 'human', scopes: '*' } as const;
  await engine.principals.set({ principal: 'carol', ...rights, tiers: { approvals: 'T1' } });
  await engine.principals.addKey('carol', key.publicKey);
  await engine.principals.set({ principal: 'frank', ...rights, tiers: { redactions: 'T2' } });
  return { opened, engine, scope, time, key };
}
