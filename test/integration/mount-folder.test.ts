/**
 * A folder of LanceDB that an earlier version fed, or that is damaged: what still works goes on, what
 * does not is refused with what to do, and a rebuild makes it whole. `doctor` states all of it.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLancedbProjection } from '../../connectors/lancedb/index.ts';
import { run } from '../../src/cli/run.ts';
import type { Change } from '../../src/cxri/contract.ts';
import type { ContextEngine, ScopeUuid } from '../../src/index.ts';
import { parseTenant, parseUuid, toInstant } from '../../src/model/ids.ts';
import { openEngine, refusalOf, START_MS } from '../support/engines.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

vi.setConfig({ testTimeout: 300_000 });

const PROFILE = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;
const MANIFEST = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: archived, version: 1, scope_block_type: notes }
spec:
  layers: { open_set: { source: archive, top_k: 8 } }
  budget: { total_tokens: 4000 }
`;
const REBUILD = 'contextengine rebuild MOUNT';

let folder = '';
let copies = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextengine-mount-folder-'));
  copies = join(folder, '.contextengine', 'archive', 'tenant-local');
  mkdirSync(join(folder, 'manifests'));
  writeFileSync(join(folder, 'manifests', 'archived.yaml'), MANIFEST);
  const config = {
    manifests: 'manifests',
    mounts: { archive: { connector: 'lancedb', path: dirname(copies), feed: 'work' } },
  };
  writeFileSync(join(folder, 'contextengine.config.json'), JSON.stringify(config));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): Promise<ContextEngine> =>
  openEngine({
    time: { ms: START_MS },
    database: { dataDir: join(folder, '.contextengine') },
    manifests: join(folder, 'manifests'),
    mounts: { archive: { connector: createLancedbProjection({ path: copies }), feed: 'work' } },
    permission_profile: PROFILE,
  });
const remember = (engine: ContextEngine, scope: ScopeUuid, content: string): Promise<unknown> =>
  engine.remember(scope, { content });
async function servedBy(engine: ContextEngine, scope: ScopeUuid) {
  const asked = { scope_block_uuid: scope, intent: 'fact', query: 'harbour' } as const;
  const { items, degraded } = await engine.composeBlockContext({
    ...asked,
    permission_profile: PROFILE,
  });
  const texts = items.flatMap(({ layer, text }) => (layer === 'open_set' ? [text] : []));
  return { texts: texts.sort(), degraded };
}

/** The copy that serves. */
const copy = (): string =>
  join(copies, JSON.parse(readFileSync(join(copies, 'current.json'), 'utf8')).name);

/** As the version before subscriptions left it: marks without bytes, and no entries. */
function asBefore(): void {
  rmSync(join(copy(), 'changes'), { recursive: true });
  const cursors = join(copy(), 'cursors');
  for (const name of readdirSync(cursors)) {
    const file = join(cursors, name);
    const { marks, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    const before = marks.map(({ counted: _none, ...mark }: { readonly counted: number }) => mark);
    writeFileSync(file, JSON.stringify({ ...rest, marks: before }));
  }
}

async function told(scope: string, upTo: number): Promise<readonly number[]> {
  const mount = createLancedbProjection({ path: copies });
  await using projection = await mount.connect({ space: null });
  const uuid = parseUuid(scope, 'scope');
  const seqs: number[] = [];
  const filter = {
    tenant: parseTenant('local'),
    scopes: [uuid],
    after: [{ scope: uuid, head: 0 }],
  };
  let done: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => {
    done = resolve;
  });
  const listener = (changes: readonly Change[]): void => {
    seqs.push(...changes.map(({ seq }) => seq));
    if ((seqs.at(-1) ?? 0) >= upTo) done();
  };
  await using subscription = await projection.subscribe(filter, listener);
  await Promise.race([enough, subscription.ended]);
  return seqs;
}

it('of an earlier version is searched and fed on, and tells what it was fed after a rebuild', async () => {
  const first = await open();
  const { scope_block_uuid: scope } = await first.scopes.create({ type: 'notes' });
  await remember(first, scope, 'The harbour closes at nine.');
  await first.mounts.feed('archive');
  await first.close();
  asBefore();
  await using engine = await open();
  await remember(engine, scope, 'The harbour has two cranes.');
  await engine.mounts.feed('archive');
  const served = await servedBy(engine, scope);
  expect(served).toEqual({
    texts: ['The harbour closes at nine.', 'The harbour has two cranes.'],
    degraded: [],
  });
  const error = await refusalOf(told(scope, 1));
  expect([error.code, error.fix]).toEqual([
    'CONNECTOR.MISSING_CAPABILITY',
    expect.stringContaining(REBUILD),
  ]);
  expect(readdirSync(copy())).not.toContain('changes');
  await engine.mounts.rebuild('archive');
  expect(await servedBy(engine, scope)).toEqual(served);
  const seqs = await told(scope, 3);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  expect(new Set(seqs).size).toBe(3);
});

it.each([
  ['its pointer', () => writeFileSync(join(copies, 'current.json'), '{"name":')],
  ['the copy that serves', () => rmSync(copy(), { recursive: true })],
])(
  'is left out where %s is damaged, stated by doctor, and whole after a rebuild',
  async (_, spoil) => {
    const first = await open();
    const { scope_block_uuid: scope } = await first.scopes.create({ type: 'notes' });
    await remember(first, scope, 'The harbour closes at nine.');
    await first.mounts.feed('archive');
    await first.close();
    const doctor = async (...more: readonly string[]) => {
      const terminal = memoryTerminal({ cwd: folder });
      const code = await run(['doctor', ...more], terminal);
      return { code, out: terminal.output() };
    };
    const sound = await doctor();
    expect(sound.code).toBe(0);
    expect(sound.out).toMatch(/ok {4}mount archive\s+answers in .*, 1 row, .*, up to date/);
    expect(sound.out).toContain('archive (lancedb)');
    spoil();
    const { code, out } = await doctor();
    expect(code).toBe(4);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /fail mount archive cannot be searched .*contextengine rebuild (MOUNT|archive)/,
    );
    await using engine = await open();
    const { texts, degraded } = await servedBy(engine, scope);
    expect([texts, degraded.map(({ part }) => part)]).toEqual([[], ['mount archive']]);
    await engine.mounts.rebuild('archive');
    expect(await servedBy(engine, scope)).toEqual({
      texts: ['The harbour closes at nine.'],
      degraded: [],
    });
    expect(readdirSync(copies).filter((name) => name.startsWith('copy-'))).toHaveLength(1);
  },
);

it('that is behind, or holds what was forgotten, is a warning of doctor', async () => {
  const engine = await open();
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'notes' });
  await remember(engine, scope, 'The harbour closes at nine.');
  await engine.close();
  const terminal = memoryTerminal({ cwd: folder });
  expect(await run(['doctor', '--json'], terminal)).toBe(0);
  const { checks, settings } = JSON.parse(terminal.output());
  expect(checks).toContainEqual({
    name: 'mount archive',
    state: 'warn',
    message: expect.stringMatching(/^answers in .* 0 rows, .* behind the ledger$/),
    fix: expect.stringContaining('contextengine work'),
  });
  expect(settings).toContainEqual(expect.objectContaining({ name: 'mounts' }));
});

it.each([256, 384, 1_536])('finds by meaning in %i dimensions', async (dimensions) => {
  const space = { name: `test/space/${dimensions}`, dimensions };
  const engine = await openEngine({
    ...{ time: { ms: START_MS }, manifests: join(folder, 'manifests') },
    permission_profile: PROFILE,
    embedder: {
      space: { provider: 'test', model: 'space', dimensions },
      embed: async (texts) =>
        texts.map((text) =>
          Array.from({ length: dimensions }, (_, n) => (text.includes('ship') === n < 9 ? 1 : 0)),
        ),
      close: async () => undefined,
    },
    mounts: { archive: { connector: createLancedbProjection({ path: copies }), feed: 'work' } },
  });
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'notes' });
  for (const content of ['Bread rises.', 'A ship came in.']) await remember(engine, scope, content);
  await engine.mounts.feed('archive');
  await engine.close();
  await using mount = await createLancedbProjection({ path: copies }).connect({ space });
  const values = Array.from({ length: dimensions }, (_, n) => (n < 9 ? 1 : 0));
  const { parts } = await mount.query({
    tenant: parseTenant('local'),
    position: [{ scope: parseUuid(scope, 'scope'), head: 9 }],
    valid_at: toInstant(START_MS + 1_000),
    parts: [
      {
        ...{ id: 'near', mode: 'search', table: 'memory_open_set', limit: 1 },
        vector: { space: space.name, values },
      },
    ],
  });
  const [part] = parts;
  expect(part?.ok && part.hits.map(({ row, signals }) => [row, signals])).toMatchObject([
    [{ content: 'A ship came in.' }, { dense: 1 }],
  ]);
});

it('an archival layer searches for each long sentence of the query in the mount', async () => {
  const file = join(folder, 'manifests', 'archived.yaml');
  writeFileSync(file, MANIFEST.replace('open_set: {', 'archival: {'));
  await using engine = await open();
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'notes' });
  const texts = ['Ferries leave from pier four.', 'The harbour closes at nine.'];
  for (const content of texts) await remember(engine, scope, content);
  await engine.mounts.feed('archive');
  const { items, trace, degraded } = await engine.composeBlockContext({
    ...{ scope_block_uuid: scope, intent: 'fact', trace: true, permission_profile: PROFILE },
    query: 'When does the harbour close? And where do the ferries leave?',
  });
  expect(trace?.recall['archival']).toMatchObject({ taken: 2, sub_queries: { length: 2 } });
  const served = items.flatMap(({ layer, text }) => (layer === 'archival' ? [text] : []));
  expect([served.toSorted(), degraded]).toEqual([texts, []]);
});
