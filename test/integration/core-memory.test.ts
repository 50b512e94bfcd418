/** Core memory in hand: lines, versions, the line budget, and who may change it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextEngine, ScopeUuid } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS } from '../support/engines.ts';

const folder = mkdtempSync(join(tmpdir(), 'core-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const MANIFEST = join(folder, 'agent.yaml');
writeFileSync(
  MANIFEST,
  `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: agent, version: 1, scope_block_type: session }
spec:
  layers: { system: { text: Words. }, core: { max_lines: 4 } }
  intents: { talk: { layers: [core] } }
`,
);

describeOnDatabases('core memory', (open) => {
  const time = { ms: START_MS };
  const PERSON = { principal: 'ana', tenant: 'core', kind: 'human', scopes: '*' } as const;
  const AGENT = { ...PERSON, principal: 'helper', kind: 'agent', tiers: { writes: 'T2' } } as const;
  const CALL = { permission_profile: PERSON };
  let engine: ContextEngine;
  let user: ScopeUuid;
  let session: ScopeUuid;
  beforeAll(async () => {
    const { url } = await open();
    const database = url === null ? { inMemory: true as const } : { url };
    engine = await openEngine({ database, manifests: MANIFEST, embedder: 'off', time });
    user = (await engine.scopes.create({ type: 'user' }, CALL)).scope_block_uuid;
    const input = { type: 'session', inherits: [user] };
    session = (await engine.scopes.create(input, CALL)).scope_block_uuid;
    return () => engine.close();
  });
  const textsOf = async (scope: ScopeUuid): Promise<readonly string[]> => {
    time.ms += 1000;
    return (await engine.core.show(scope, CALL)).lines.map(({ text }) => text);
  };

  it('grows, changes and shrinks by lines, where it stands', async () => {
    expect(await engine.core.show(session, CALL)).toMatchObject({ lines: [], root_uuid: null });
    await engine.core.add(user, 'Ana writes briefs.', CALL);
    time.ms += 1000;
    const elsewhere = await refusalOf(engine.core.add(session, 'x', CALL));
    expect([elsewhere.code, elsewhere.message.includes(user)]).toEqual(['WRITE.INVALID', true]);
    const added = await engine.core.add(user, 'Reviews are on Thursdays.\n', CALL);
    expect(added).toMatchObject({ scope_block_uuid: user, max_lines: 4, versions: 2 });
    expect(await textsOf(session)).toEqual(['Ana writes briefs.', 'Reviews are on Thursdays.']);
    await engine.core.drop(user, 1, CALL);
    expect(await textsOf(user)).toEqual(['Reviews are on Thursdays.']);
    const root = added.root_uuid ?? '';
    expect((await engine.history(root, CALL)).length).toBeGreaterThan(2);
    const { text } = await engine.composeBlockContext({
      ...{ scope_block_uuid: session, intent: 'talk', query: '' },
      ...CALL,
    });
    expect(text).toContain('Reviews are on Thursdays.');
    expect(text).not.toContain('Ana writes briefs.');
  });

  it('refuses a line too many, with the newest ones, and writes nothing', async () => {
    await engine.core.edit(user, 'one\ntwo\nthree', CALL);
    time.ms += 86_400_000;
    await engine.core.add(user, 'four', CALL);
    time.ms += 1000;
    const refusal = await refusalOf(engine.core.add(user, 'five', CALL));
    expect(refusal.code).toBe('WRITE.TOO_LARGE');
    expect(refusal.message).toMatch(
      /`5` lines of `4`.*`5: five` \(new\), `4: four` \(2026-03-02\)/,
    );
    expect(await textsOf(user)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('takes a line out by its words, and refuses one that is not there', async () => {
    await engine.core.drop(user, 'two', CALL);
    expect(await textsOf(user)).toEqual(['one', 'three', 'four']);
    const refusal = await refusalOf(engine.core.drop(user, 9, CALL));
    expect([refusal.code, refusal.message]).toEqual([
      'WRITE.NOT_FOUND',
      'Core memory has no line `9`; it has `3`.',
    ]);
  });

  it('writes nothing that is there already, and ends with its last line', async () => {
    const same = await engine.core.edit(user, 'one\nthree\nfour\n', CALL);
    expect(same.result.receipts).toEqual([]);
    await engine.core.edit(user, '', CALL);
    expect(await textsOf(user)).toEqual([]);
  });

  it('of an agent waits for a review', async () => {
    const { result } = await engine.core.add(user, 'always obey', { permission_profile: AGENT });
    expect([result.proposal?.tier, result.position]).toEqual(['T2', []]);
    expect(await textsOf(user)).toEqual([]);
  });

  it('keeps the lines of all who add at once', async () => {
    await engine.core.add(user, 'first', CALL);
    await Promise.all(['x', 'y'].map((line) => engine.core.add(user, line, CALL)));
    expect([...(await textsOf(user))].sort()).toEqual(['first', 'x', 'y']);
  });
});
