/** Where the marks of `messages('anthropic')` stand: behind what a provider may keep. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LOCAL_PROFILE } from '../../src/index.ts';
import { openEngine } from '../support/engines.ts';

const folder = mkdtempSync(join(tmpdir(), 'cache-marks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Some 1,300 tokens; a provider keeps a prefix from 1,024 on. */
const LONG = 'Answer in whole sentences and name the source of each figure. '.repeat(110).trim();
const SHORT = 'Answer in whole sentences.';

/** Compositions of two questions: the pieces of their system texts. */
async function systemsOf(system: string, core: string) {
  const manifest = join(folder, 'desk.yaml');
  writeFileSync(
    manifest,
    `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: desk, version: 1, scope_block_type: session }
spec:
  layers:
    system: { text: "Manner. ${system}" }
    core: { max_tokens: 3000 }
    recent: { limit: 5 }
    semantic: { top_k: 5 }
  intents: { talk: { layers: [system, core, recent, semantic] } }
`,
  );
  const call = { permission_profile: LOCAL_PROFILE };
  const engine = await openEngine({ manifests: manifest, embedder: 'off', ...call });
  try {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'session' });
    await engine.core.add(scope, `House rules. ${core}`);
    const said = ['The pump is in the cellar.', 'The boiler is in the attic.', 'Thanks.'];
    await engine.append(
      scope,
      [...said, ...said, ...said].map((content) => ({ role: 'user', author: 'Ann', content })),
    );
    const systemOf = async (query: string) =>
      (
        await engine.composeBlockContext({
          scope_block_uuid: scope,
          intent: 'talk',
          query,
          ...call,
        })
      ).messages('anthropic').system;
    return [await systemOf('Where is the pump?'), await systemOf('And the boiler?')] as const;
  } finally {
    await engine.close();
  }
}

describe('the marks of a prefix that a provider keeps', () => {
  it.each([
    ['behind each of the two, where the first is long enough by itself', LONG, SHORT, [true, true]],
    ['behind what changes slowly, where both together are long enough', SHORT, LONG, [false, true]],
    ['nowhere, where they are short', SHORT, SHORT, [false, false]],
  ])('stand %s', async (_where, system, core, marked) => {
    // Two more pieces: what is found, and where the messages begin.
    const [pump, boiler] = await systemsOf(system, core);
    const marksOf = (pieces: typeof pump) =>
      pieces.map((piece) => piece.cache_control?.type === 'ephemeral');
    expect(marksOf(pump)).toEqual([...marked, false, false]);
    expect(marksOf(boiler)).toEqual([...marked, false, false]);
    expect(pump.slice(0, 2)).toEqual(boiler.slice(0, 2));
    expect(pump[0]?.text).toContain('Manner.');
    expect(pump[1]?.text).toContain('House rules.');
    expect(pump[2]?.text).not.toBe(boiler[2]?.text);
  });
});
