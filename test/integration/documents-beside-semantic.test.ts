/** The layers `documents` and `semantic` side by side: a text that both find stands in one of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Composition, ContextEngine, ScopeUuid } from '../../src/index.ts';
import { openEngine } from '../support/engines.ts';

const PROFILE = { principal: 'u', tenant: 'local', kind: 'human', scopes: '*' } as const;
const CALL = { permission_profile: PROFILE };
const QUERY = 'rotate the signing key';

const manifestOf = (type: string, layers: string): string =>
  `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${type}, version: 1, scope_block_type: ${type} }
spec:
  layers: { system: { enabled: false }, ${layers} }
  scoring: { floor: 0.05, mmr_lambda: 1 }
`;
const SEMANTIC = 'semantic: { top_k: 9 }';
const MANIFESTS: Readonly<Record<string, string>> = {
  beside: manifestOf('beside', `${SEMANTIC}, documents: { top_k: 9, scoring: { floor: 0.05 } }`),
  two: manifestOf('two', `${SEMANTIC}, documents: { top_k: 2, scoring: { floor: 0.05 } }`),
  strict: manifestOf('strict', `${SEMANTIC}, documents: { top_k: 1, scoring: { floor: 0.99 } }`),
  ranked: manifestOf('ranked', 'semantic: { top_k: 9, rank: 4 }, documents: { top_k: 9 }'),
};
const TURN = 'Who will rotate the signing key on Monday?';
const CHUNKS = ['before each release', 'with two people', 'in the vault', 'after a leak'].map(
  (words) => `Rotate the signing key ${words}.`,
);

const folder = mkdtempSync(join(tmpdir(), 'beside-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('documents beside semantic', () => {
  let engine: ContextEngine;
  beforeAll(async () => {
    for (const [name, text] of Object.entries(MANIFESTS))
      writeFileSync(join(folder, `${name}.yaml`), text);
    engine = await openEngine({
      database: { inMemory: true },
      manifests: folder,
      embedder: 'off',
    });
    return () => engine.close();
  }, 60_000);

  async function composed(type: string): Promise<Composition> {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type }, CALL);
    await engine.append(
      scope as ScopeUuid,
      [
        { content: TURN, role: 'user' },
        ...CHUNKS.map((content) => ({ content, block_type: 'chunk' })),
      ],
      CALL,
    );
    return engine.composeBlockContext({
      ...{ scope_block_uuid: scope, intent: 'fact', query: QUERY, trace: true },
      ...CALL,
    });
  }
  const textsOf = ({ items }: Composition, layer: string): readonly string[] =>
    items.flatMap((item) => (item.layer === layer ? [item.text] : [])).sort();

  it('shows chunks of documents in the layer that is made for them', async () => {
    const composition = await composed('beside');
    expect(textsOf(composition, 'documents')).toEqual([...CHUNKS].sort());
    expect(textsOf(composition, 'semantic')).toEqual([TURN]);
  });

  it('leaves to semantic what is beyond its top_k', async () => {
    const composition = await composed('two');
    expect(textsOf(composition, 'documents')).toHaveLength(2);
    expect(textsOf(composition, 'semantic')).toHaveLength(3);
  });

  it('has a floor that semantic does not go round, for what it did not find as well', async () => {
    const composition = await composed('strict');
    expect(textsOf(composition, 'documents')).toEqual([]);
    expect(textsOf(composition, 'semantic')).toEqual([TURN]);
    const dropped = composition.trace?.dropped.filter(({ layer }) => layer === 'semantic');
    expect(dropped?.map(({ reason }) => reason)).toEqual(CHUNKS.map(() => 'floor'));
  });

  it('gives way to a layer of a better rank, and says which', async () => {
    const composition = await composed('ranked');
    expect(textsOf(composition, 'documents')).toEqual([]);
    expect(textsOf(composition, 'semantic')).toHaveLength(5);
    expect(composition.warnings.map(({ message }) => message)).toContain(
      'Layer `documents` shows nothing of its own: what it found stands in `semantic`.',
    );
  });

  it('says which heading a part stands under that does not begin with it', async () => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'beside' }, CALL);
    const chunk = (content: string, heading: string) => ({
      ...{ content, block_type: 'chunk', title: 'Keys', metadata: { heading } },
    });
    const parts = [
      chunk('Rotate the signing key after 90 days.', 'Keys > Production'),
      chunk('## Staging\nRotate the signing key after 7 days.', 'Keys > Staging'),
      chunk('Rotate the signing key by hand.', 'Keys > "), (x'),
    ];
    await engine.append(scope as ScopeUuid, parts, CALL);
    const { text } = await engine.composeBlockContext({
      ...{ scope_block_uuid: scope, intent: 'fact', query: QUERY },
      ...CALL,
    });
    expect(text).toMatch(/#\d+ \(under Production\) Rotate the signing key after 90 days\./);
    expect(text).toMatch(/#\d+ \("under \\"\), \(x"\) Rotate the signing key by hand\./);
    expect(text).not.toContain('under Staging');
  });
});
