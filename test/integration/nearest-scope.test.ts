/**
 * Layers that search several scopes: the best item stands first, and among those that match alike
 * the one of the nearest scope.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContextEngine, ScopeUuid } from '../../src/index.ts';
import { openEngine, START_MS, type TestClock } from '../support/engines.ts';

const LAYERS = ['open_set', 'procedures', 'documents', 'semantic', 'archival'] as const;
type Layer = (typeof LAYERS)[number];
const MANIFEST = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: nested, version: 1, scope_block_type: nested }
spec:
  layers:
    system: { enabled: false }
    open_set: {}
    procedures: {}
    documents: { top_k: 9 }
    semantic: { block_types: [turn] }
    archival: { classes: [decision] }
  scoring: { mmr_lambda: 1 }
  intents:
${LAYERS.map((layer) => `    ask_${layer}: { layers: [${layer}], lambda: temporal }`).join('\n')}
`;
const QUERY = 'When is the deploy window of the billing service?';
const PROFILE = { principal: 'local', kind: 'human', tenant: 'local', scopes: '*' } as const;
const CALL = { permission_profile: PROFILE };
/** Minutes between the writes of two scopes: the outermost is written last, so it is the newest. */
const STEP_MS = 60_000;

describe('layers over a session, its user and their organisation', () => {
  const time: TestClock = { ms: START_MS };
  let engine: ContextEngine;
  let session: ScopeUuid;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contextengine-nearest-'));
    await writeFile(join(folder, 'nested.yaml'), MANIFEST);
    engine = await openEngine({ manifests: folder, time, embedder: 'off' });
    const create = async (inherits: readonly ScopeUuid[]) =>
      (await engine.scopes.create({ type: 'nested', inherits }, CALL)).scope_block_uuid;
    const organisation = await create([]);
    const user = await create([organisation]);
    session = await create([user]);
    await fill(session, 'Monday');
    await fill(user, 'Tuesday');
    await fill(organisation, 'Friday');
    // The better match, and the farthest.
    const best = 'The deploy window of the billing service is when the deploy bell rings.';
    await engine.remember(organisation, [{ content: best, class: 'fact' }], CALL);
    time.ms += STEP_MS;
    return async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    };
  }, 120_000);

  async function fill(scope: ScopeUuid, day: string): Promise<void> {
    time.ms += STEP_MS;
    const text = (name: string): string => `The ${name} deploy window of billing opens on ${day}.`;
    await engine.remember(
      scope,
      [
        { content: text('known'), class: 'fact' },
        { content: text('usual'), class: 'procedure' },
        { content: text('learned'), class: 'lesson' },
        { content: text('agreed'), class: 'decision' },
      ],
      CALL,
    );
    await engine.append(scope, [{ content: text('spoken'), role: 'user', author: 'Ana' }], CALL);
    await engine.ingest(
      scope,
      {
        name: `deploy-${day}.md`,
        content: `As written, the service of billing deploys in its window, and a deploy is on ${day}.`,
        date: '2026-02-01',
      },
      CALL,
    );
  }

  async function served(layer: Layer): Promise<readonly string[]> {
    const { items } = await engine.composeBlockContext({
      scope_block_uuid: session,
      intent: `ask_${layer}`,
      query: QUERY,
      ...CALL,
    });
    return items.map(({ text }) => text);
  }

  const daysOf = (texts: readonly string[], name: string): readonly string[] =>
    texts.filter((text) => text.includes(name)).map((text) => /(\w+)\.$/.exec(text)?.[1] ?? '');
  const NEAREST_FIRST = ['Monday', 'Tuesday', 'Friday'];

  it.each([
    ['open_set', 'known'],
    ['procedures', 'usual'],
    ['documents', 'learned'],
    ['documents', 'written'],
    ['semantic', 'spoken'],
    ['archival', 'agreed'],
  ] as const)('%s puts the nearest scope first: %s', async (layer, name) =>
    expect(daysOf(await served(layer), name)).toEqual(NEAREST_FIRST),
  );

  it('and a better match of the outermost before them', async () => {
    const [first] = await served('open_set');
    expect(first).toMatch(/bell/);
  });
});
