/**
 * `deadline_ms` bounds the whole call, whatever it waits for. Each wait here has no end of its own.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContextEngine, EngineOptions } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnServer, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const DEADLINE = { code: 'CONNECTOR.DEADLINE', retryable: true };
/** Of the engine's pool. */
const SESSIONS = 10;
const never = new Promise<never>(() => undefined);

async function prepared(engine: ContextEngine) {
  const { scope_block_uuid } = await engine.scopes.create({ type: 'chat_session' });
  await engine.append(scope_block_uuid, { content: 'the harbour is closed' });
  return (more: object = {}) =>
    engine.composeBlockContext({
      scope_block_uuid,
      intent: 'follow_up',
      query: 'harbour',
      permission_profile: LOCAL_PROFILE,
      ...more,
    });
}

describeOnServer('a composition with a deadline', (open) => {
  let opened: TestDatabase & { readonly url: string };
  const engineOn = (url: string, more: EngineOptions = {}) =>
    createContextEngine({ database: { url }, permission_profile: LOCAL_PROFILE, ...more });
  beforeAll(async () => {
    opened = await open();
  });

  it('keeps it where every session of the pool is taken', async () => {
    const engine = await engineOn(opened.url);
    const compose = await prepared(engine);
    await opened.owner.transaction(async (tx) => {
      await tx.query('lock table context_ops.scope_heads in access exclusive mode');
      const stuck = Array.from({ length: SESSIONS }, () => compose());
      const late = await refusalOf(compose({ deadline_ms: 300 }));
      expect(late).toMatchObject({
        ...DEADLINE,
        message: expect.stringContaining('resolve_scope'),
      });
      // Who gave up left the queue; who did not is served when the lock goes.
      await tx.query('commit; begin');
      for (const { text } of await Promise.all(stuck)) expect(text).toContain('harbour is closed');
    });
    await engine.close();
  });

  it('keeps it where the lock of the audit, or of the search, is taken', async () => {
    const engine = await engineOn(opened.url);
    const compose = await prepared(engine);
    for (const [table, more] of [
      ['context.blocks', {}],
      ['context_ops.audit', { permission_profile: { ...LOCAL_PROFILE, scopes: [] } }],
    ] as const)
      await opened.owner.transaction(async (tx) => {
        await tx.query(`lock table ${table} in access exclusive mode`);
        expect(await refusalOf(compose({ deadline_ms: 100, ...more }))).toMatchObject(DEADLINE);
      });
    expect((await compose()).text).toContain('harbour is closed');
    await engine.close();
  });

  describe('on a server that accepts and never answers', () => {
    let proxy: TcpProxy;
    let engine: ContextEngine;
    let compose: Awaited<ReturnType<typeof prepared>>;
    beforeAll(async () => {
      proxy = await openTcpProxy(opened.url);
      engine = await engineOn(proxy.url);
      compose = await prepared(engine);
      return async () => {
        await engine.close();
        await proxy[Symbol.asyncDispose]();
      };
    });

    it('keeps it, with sessions that were open and with new ones, and works again after', async () => {
      const warm = await compose();
      proxy.stall();
      const stuck = Array.from({ length: SESSIONS + 2 }, () =>
        refusalOf(compose({ deadline_ms: 200 })),
      );
      for (const refusal of stuck) expect(await refusal).toMatchObject(DEADLINE);
      proxy.resume();
      expect((await compose()).text).toBe(warm.text);
    });
  });
});

describe('a composition with a deadline on an embedded database', () => {
  it('keeps it where the claim is never judged', async () => {
    let answer: (() => void) | null = () => undefined;
    const engine = await openEngine({
      authority: (claim) => (answer ? claim : never),
    });
    const { scope_block_uuid } = await engine.scopes.create({ type: 'oracle' });
    answer = null;
    const call = engine.composeBlockContext({
      scope_block_uuid,
      intent: 'follow_up',
      query: '',
      permission_profile: LOCAL_PROFILE,
      deadline_ms: 50,
    });
    expect(await refusalOf(call)).toMatchObject({
      ...DEADLINE,
      message: expect.stringContaining('judge_claim'),
    });
    await engine.close();
  });
});
