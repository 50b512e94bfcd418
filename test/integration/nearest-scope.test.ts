/**
 * Layers over several scopes. Of those that search, the best item stands first, and among those
 * that match alike the one of the nearest scope; of those that do not, the farthest is cut first.
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

const KEPT_LAYERS = ['project', 'task', 'index', 'pinned'] as const;
type Kept = (typeof KEPT_LAYERS)[number];
/** A layer of the narrow one holds two of its three items. */
const keptManifest = (name: string, maxTokens: number): string => `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: ${name}, version: 1, scope_block_type: kept }
spec:
  layers:
    system: { enabled: false }
${KEPT_LAYERS.map((layer) => `    ${layer}: { max_tokens: ${maxTokens} }`).join('\n')}
`;
const ITEM_TOKENS = 30;

describe('layers that show all of a session, its user and their organisation', () => {
  let engine: ContextEngine;
  let session: ScopeUuid;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contextengine-kept-'));
    await writeFile(join(folder, 'wide.yaml'), keptManifest('wide', 1000));
    await writeFile(join(folder, 'narrow.yaml'), keptManifest('narrow', 2.8 * ITEM_TOKENS));
    const time: TestClock = { ms: START_MS };
    engine = await openEngine({ manifests: folder, time, embedder: 'off' });
    const create = async (inherits: readonly ScopeUuid[]) =>
      (await engine.scopes.create({ type: 'kept', inherits }, CALL)).scope_block_uuid;
    const organisation = await create([]);
    const user = await create([organisation]);
    session = await create([user]);
    // The nearest scope is written last.
    for (const [scope, name] of [
      [organisation, 'organisation'],
      [user, 'user'],
      [session, 'session'],
    ] as const) {
      time.ms += STEP_MS;
      const said = (what: string): string =>
        `The ${what} of the ${name}: a report of the harbour is short, names the gate, and gives ` +
        'the hour at which it was seen.';
      await engine.append(
        scope,
        ['convention', 'task'].map((type) => ({ block_type: type, content: said(type) })),
        CALL,
      );
      await engine.remember(scope, { content: said('rule'), class: 'rule' }, CALL);
      const { receipts } = await engine.append(
        scope,
        [{ block_type: 'document', content: said('pin') }],
        CALL,
      );
      await engine.link(scope, { type: 'pinned', to: receipts[0]?.uuid ?? '' }, CALL);
    }
    return async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    };
  }, 120_000);

  async function kept(manifest: string, layer: Kept) {
    const { items, warnings } = await engine.composeBlockContext({
      scope_block_uuid: session,
      intent: 'follow_up',
      query: QUERY,
      manifest,
      ...CALL,
    });
    const own = items.filter((item) => item.layer === layer && !item.truncated);
    const warned = warnings.filter(({ message }) => message.includes(`\`${layer}\``));
    return {
      scopes: own.map(({ text }) => /of the (\w+):/.exec(text)?.[1]),
      warned: warned.map(({ code, message }) => `${code} ${message}`),
    };
  }

  it.each(KEPT_LAYERS)(
    '%s loses what the organisation says first, with a warning',
    async (layer) => {
      const whole = await kept('wide', layer);
      expect(whole.scopes.toSorted()).toEqual(['organisation', 'session', 'user']);
      expect(whole.warned).toEqual([]);
      const narrow = await kept('narrow', layer);
      expect(narrow.scopes.toSorted()).toEqual(['session', 'user']);
      expect(narrow.warned).toEqual([
        `LAYER.NO_ROOM Layer \`${layer}\` has \`3\` items to show and shows \`2\`: its own limit ` +
          'holds no more.',
      ]);
    },
  );

  it.each(['project', 'task'] as const)('%s puts the nearest scope first', async (layer) =>
    expect((await kept('wide', layer)).scopes).toEqual(['session', 'user', 'organisation']),
  );
});
