/** A stored text that does not fit is cut, and said; it never breaks the compositions of others. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Composition, ContextEngine, PermissionProfile } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine, refusalOf } from '../support/engines.ts';

const MANIFEST = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: core-test, version: 1, scope_block_type: core_test }
spec:
  layers:
    system: { text: Answer in one sentence. }
    core: { max_lines: 10 }
    recent: {}
  budget: { total_tokens: 400 CAP }
`;
/** One line within the limits of a write, far over the budget of the manifest. */
const TOO_LONG = 'attack at dawn, retreat at dusk. '.repeat(400);

describe.each(['', ', max_per_layer: { core: 60 }'])('core memory that does not fit%s', (cap) => {
  let engine: ContextEngine;
  let outer: string;
  let inner: string;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contextengine-core-'));
    await writeFile(join(folder, 'core-test.yaml'), MANIFEST.replace(' CAP', cap));
    engine = await openEngine({ manifests: folder, embedder: 'off' });
    ({ scope_block_uuid: outer } = await engine.scopes.create({ type: 'core_test' }));
    const inherits = [outer];
    ({ scope_block_uuid: inner } = await engine.scopes.create({ type: 'core_test', inherits }));
    await engine.append(inner, { content: 'the meeting is at noon', role: 'user' });
    const writer: PermissionProfile = { ...LOCAL_PROFILE, principal: 'other', scopes: [outer] };
    const block = { content: TOO_LONG, block_type: 'core_memory' };
    await engine.append(outer, block, { permission_profile: writer });
    return async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    };
  });

  const compose = (scope: string): Promise<Composition> =>
    engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: 'when is the meeting?',
      permission_profile: LOCAL_PROFILE,
      trace: true,
    });

  it('is cut in the scope and in those that inherit it, within the budget', async () => {
    for (const scope of [outer, inner]) {
      const composition = await compose(scope);
      const core = composition.items.find(({ layer }) => layer === 'core');
      expect(composition.tokens.used).toBeLessThanOrEqual(400);
      expect(core?.truncated).toBe(true);
      expect(TOO_LONG.startsWith(core?.text ?? '-')).toBe(true);
      expect(composition.layers['core']?.tokens).toBeGreaterThan(cap === '' ? 150 : 45);
      // nothing else asks for tokens in the outer scope, so only the inner one has to leave half
      const most = cap !== '' ? 60 : scope === inner ? 220 : 400;
      expect(composition.layers['core']?.tokens).toBeLessThanOrEqual(most);
      const [warning] = composition.warnings.filter(({ code }) => code === 'CORE.TOKENS_CUT');
      expect(warning?.message).toContain(`\`${core?.root_uuid}\``);
      expect(warning?.message).toContain(`\`${core?.text.length}\` of \`${TOO_LONG.length}\``);
    }
  });

  it('leaves room for the history of who composes', async () => {
    expect((await compose(inner)).text).toContain('the meeting is at noon');
  });

  it('replays byte for byte', async () => {
    for (const scope of [outer, inner]) {
      const { composition_id: id, text } = await compose(scope);
      const replay = await engine.replay(id, { permission_profile: LOCAL_PROFILE });
      expect(replay).toEqual({ text, identical: true, gone: [] });
    }
  });

  it.each([
    ['eleven lines', 'line\n'.repeat(11), ['`11` lines', '`10`', '`core-test`']],
    ['16,001 characters', 'x'.repeat(16_001), ['`16001` characters', '`16000`']],
  ])('a write of %s is refused, and nothing is written', async (_, content, said) => {
    const refusal = await refusalOf(
      engine.append(outer, [{ content: 'before it' }, { content, block_type: 'core_memory' }]),
    );
    expect(refusal.code).toBe('WRITE.TOO_LARGE');
    for (const part of said) expect(refusal.message).toContain(part);
    expect(refusal.fix).toContain('Shorten');
    // As the caller wrote it: the second turn's content, of no operation that they know of.
    expect(refusal.where).toEqual({ field: 'content', index: 1 });
    expect((await compose(outer)).text).not.toContain('before it');
  });

  it('ten lines and a line feed at their end are ten lines', async () => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'core_test' });
    await engine.append(scope, { content: 'line\n'.repeat(10), block_type: 'core_memory' });
    const codes = (await compose(scope)).warnings.map(({ code }) => code);
    expect(codes.filter((code) => code.startsWith('CORE.'))).toEqual([]);
  });

  it('a turn of the same length is none of this', async () => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'core_test' });
    const { counts } = await engine.append(scope, { content: 'line\n'.repeat(9000) });
    expect(counts.stored).toBe(1);
  });
});
