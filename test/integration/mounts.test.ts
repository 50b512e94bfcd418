/**
 * Layers that are searched in a mount: what it finds is judged by the ledger, whatever it is
 * behind; what was forgotten is gone from its files; a feeder that dies ends in the same rows.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { createLancedbProjection } from '../../connectors/lancedb/index.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { createReferenceProjection } from '../../connectors/reference/index.ts';
import type { Projection, ProjectionConnector } from '../../src/cxri/projection.ts';
import type { ContextEngine } from '../../src/index.ts';
import { parseTenant, type ScopeUuid, type Uuid } from '../../src/model/ids.ts';
import { type OpenTestDatabase, openPostgresForTest } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS } from '../support/engines.ts';
import { day } from '../support/ledger.ts';

const TENANT = parseTenant('local');
const PROFILE = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;
const MANIFEST = `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: archived, version: 1, scope_block_type: notes }
spec:
  layers: { open_set: { source: archive, top_k: 8 }, recent: { limit: 4 } }
  budget: { total_tokens: 4000 }
`;
const SPACE_NAME = 'builtin';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextengine-mounts-'));
  mkdirSync(join(folder, 'manifests'));
  writeFileSync(join(folder, 'manifests', 'archived.yaml'), MANIFEST);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Of the database that the test under way has. */
let open: OpenTestDatabase | null = null;

/** Fed where the test says so. */
async function engineWith(
  connector: ProjectionConnector | string,
  mount: { readonly feed?: 'self' | 'work'; readonly colour?: string } = { feed: 'work' },
): Promise<ContextEngine> {
  const opened = await open?.();
  if (opened)
    await pgvectorAuthority(opened.database).changeRights(
      TENANT,
      {
        ...{ action: 'set', principal: 'local', kind: 'human', scopes: '*' },
        tiers: { redactions: 'T1', deletes: 'T1', approvals: 'T1' },
      },
      { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) },
    );
  return openEngine({
    ...(opened?.url && { database: { url: opened.url }, permission_profile: PROFILE }),
    time: { ms: START_MS },
    manifests: join(folder, 'manifests'),
    mounts: { archive: { connector, ...mount } },
  });
}
const connectors: Readonly<Record<string, () => ProjectionConnector>> = {
  reference: createReferenceProjection,
  lancedb: () => createLancedbProjection({ path: join(folder, 'archive') }),
};

const postgres = inject('postgres');
const cases = Object.keys(connectors).flatMap((name) =>
  (['pglite', 'postgres'] as const).map((flavor) => ({ name, flavor })),
);

async function makeScope(engine: ContextEngine): Promise<Uuid> {
  return (await engine.scopes.create({ type: 'notes' })).scope_block_uuid;
}
const remember = async (engine: ContextEngine, scope: Uuid, content: string): Promise<Uuid> => {
  const { receipts } = await engine.remember(scope as ScopeUuid, { content });
  const [receipt] = receipts;
  if (!receipt?.root_uuid) throw new Error('a fact has a root');
  return receipt.root_uuid;
};
const compose = (engine: ContextEngine, scope: Uuid, query: string) =>
  engine.composeBlockContext({
    scope_block_uuid: scope as ScopeUuid,
    intent: 'fact',
    query,
    permission_profile: PROFILE,
  });
const textsOf = (composition: Awaited<ReturnType<typeof compose>>): readonly string[] =>
  composition.items.flatMap(({ layer, text }) => (layer === 'open_set' ? [text] : []));

describe.each(cases)('a layer over a mount of $name [$flavor]', ({ name, flavor }) => {
  if (flavor === 'postgres' && postgres === null) {
    it.skip('needs PostgreSQL');
    return;
  }
  const opened: AsyncDisposable[] = [];
  beforeEach(() => {
    open = null;
    if (flavor === 'postgres' && postgres)
      open = async () => {
        const database = await openPostgresForTest(postgres);
        opened.push(database);
        return database;
      };
    return async () => {
      for (const database of opened.splice(0)) await database[Symbol.asyncDispose]();
      open = null;
    };
  });
  const make = (): ProjectionConnector => connectors[name]?.() ?? createReferenceProjection();

  it('serves what was fed, states what it is behind, and does not cache that', async () => {
    await using engine = await engineWith(make());
    const scope = await makeScope(engine);
    await remember(engine, scope, 'The harbour closes at nine.');
    const before = await compose(engine, scope, 'When does the harbour close?');
    expect(textsOf(before)).toEqual([]);
    expect(before.degraded.map(({ part }) => part)).toEqual(['mount archive']);
    const [report] = await engine.mounts.feed('archive');
    expect(report).toMatchObject({ mount: 'archive', upserted: 1, rows: 1, waiting: [] });
    const after = await compose(engine, scope, 'When does the harbour close?');
    expect([textsOf(after), after.degraded]).toEqual([['The harbour closes at nine.'], []]);
    expect(after.items.find(({ layer }) => layer === 'open_set')?.signals).toHaveProperty('sim');
    const again = await compose(engine, scope, 'When does the harbour close?');
    expect(again.cache.state).toBe('hit');
    expect(await engine.mounts.health()).toMatchObject([{ verdict: 'ok', lag: 0 }]);
  });

  it('is fed by itself, after a write and where a composition found it behind', async () => {
    const right = make();
    await using engine = await engineWith(right, {});
    const scope = await makeScope(engine);
    const root = await remember(engine, scope, 'The harbour closes at nine.');
    const served = async (): Promise<readonly string[]> =>
      textsOf(await compose(engine, scope, 'When does the harbour close?'));
    const patient = { timeout: 30_000, interval: 50 };
    await vi.waitFor(async () => expect(await served()).toHaveLength(1), patient);
    await engine.forget({ root }, { now: true });
    await vi.waitFor(async () => expect(await rowsOf(right, [scope])).toEqual([]), patient);
    const agent = { ...PROFILE, principal: 'helper', kind: 'agent' } as const;
    const fact = { content: 'The harbour closes at eight.' };
    const waiting = await engine.remember(scope as ScopeUuid, fact, { permission_profile: agent });
    await engine.approvals.approve(waiting.proposal?.proposal_uuid ?? '');
    await vi.waitFor(async () => expect(await rowsOf(right, [scope])).toHaveLength(1), patient);
    // Asked for while it feeds itself, it is fed by one after the other.
    await remember(engine, scope, 'The harbour closes at ten.');
    const reports = await Promise.all([engine.mounts.feed(null), engine.mounts.feed(null)]);
    expect(reports.flat().map(({ rows }) => rows)).toEqual([2, 2]);
  });

  it('never serves what the ledger would not show, however far it is behind', async () => {
    await using engine = await engineWith(make());
    const scope = await makeScope(engine);
    const wrong = await remember(engine, scope, 'The harbour closes at nine.');
    const secret = await remember(engine, scope, 'The harbour hides a quetzalcoatlus.');
    await engine.mounts.feed(null);
    await engine.correct(wrong, { content: 'The harbour closes at ten.' });
    await engine.forget({ root: secret }, { now: true });
    const late = await compose(engine, scope, 'harbour');
    expect(textsOf(late)).toEqual([]);
    await engine.mounts.feed(null);
    const fed = await compose(engine, scope, 'harbour');
    expect([textsOf(fed), fed.degraded]).toEqual([['The harbour closes at ten.'], []]);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const bytes = readFileSync(join(entry.parentPath, entry.name));
        expect([entry.name, bytes.includes('quetzalcoatlus')]).toEqual([entry.name, false]);
      }
  });

  it('has again what was brought back, with its vector, and a whole scope', async () => {
    await using engine = await engineWith(make());
    const [scope, other] = [await makeScope(engine), await makeScope(engine)];
    const root = await remember(engine, scope, 'The harbour hides a brachiosaurus.');
    await remember(engine, other, 'The harbour hides a stegosaurus.');
    await engine.mounts.feed(null);
    const before = await compose(engine, scope, 'harbour');
    expect(textsOf(before)).toHaveLength(1);
    const forgotten = [await engine.forget({ root }), await engine.forget({ scope: other })];
    await engine.mounts.feed(null);
    expect(textsOf(await compose(engine, scope, 'harbour'))).toEqual([]);
    for (const { redaction_uuid: id } of forgotten) await engine.erasure.bringBack(id);
    const [report] = await engine.mounts.feed(null);
    expect(report).toMatchObject({ upserted: 2, rows: 2, waiting: [] });
    const after = await compose(engine, scope, 'harbour');
    expect(textsOf(after)).toEqual(textsOf(before));
    expect(after.items[0]?.signals).toEqual(before.items[0]?.signals);
    expect(textsOf(await compose(engine, other, 'harbour'))).toHaveLength(1);
    const [again] = await engine.mounts.feed(null);
    expect(again).toMatchObject({ upserted: 0, removed: 0, erased: 0 });
  });

  it('ends in the rows of a rebuild, although its feeder died at every step', async () => {
    let left = 0;
    const right = make();
    const dying: ProjectionConnector = {
      name,
      connect: async (options) => mortal(await right.connect(options), () => (left -= 1) < 0),
    };
    await using engine = await engineWith(dying);
    const scopes = [await makeScope(engine), await makeScope(engine)];
    const roots: Uuid[] = [];
    for (let round = 0; round < 25; round += 1) {
      const scope = scopes[round % 2] ?? '';
      roots.push(await remember(engine, scope as Uuid, `The harbour has ${round} boats.`));
      const [first, second] = [roots[round - 3], roots[round - 5]];
      if (first && round % 4 === 0)
        await engine.correct(first, { content: `The harbour has no boats, ${round}.` });
      if (second && round % 5 === 0) await engine.forget({ root: second }, { now: true });
      left = round % 4;
      await engine.mounts.feed(null).catch(() => null);
    }
    left = Number.POSITIVE_INFINITY;
    await engine.mounts.feed(null);
    const fed = await rowsOf(right, scopes);
    await engine.mounts.rebuild('archive');
    expect(fed.length).toBeGreaterThan(15);
    expect(await rowsOf(right, scopes)).toEqual(fed);
    expect(await engine.mounts.health()).toMatchObject([{ verdict: 'ok', lag: 0 }]);
  });
});

/** Throws before or after a step of its feed once its time is over. */
function mortal(right: Projection, isOver: () => boolean): Projection {
  const die = (): void => {
    if (isOver()) throw new Error('the feeder died');
  };
  return {
    ...right,
    feed: async () => {
      const feed = await right.feed();
      return {
        ...feed,
        apply: async (batch) => {
          die();
          await feed.apply(batch);
          die();
        },
        erase: async (erasure) => {
          die();
          return feed.erase(erasure);
        },
      };
    },
  };
}

async function rowsOf(connector: ProjectionConnector, scopes: readonly Uuid[]) {
  await using projection = await connector.connect({ space: null });
  const position = scopes.map((scope) => ({ scope, head: Number.MAX_SAFE_INTEGER }));
  const request = { kind: 'scan', tenant: TENANT, table: 'memory_open_set' } as const;
  const { rows } = await projection.read({ ...request, position, limit: 1000 });
  return rows;
}

describe('the upkeep of a mount', () => {
  it('begins no step that could fill the disk, or after its time', async () => {
    const connector = createLancedbProjection({ path: join(folder, 'archive') });
    await using projection = await connector.connect({ space: null });
    await using feed = await projection.feed();
    expect(await feed.upkeep()).not.toHaveProperty('postponed');
    expect(await feed.upkeep({ freeBytes: 1e18 })).toMatchObject({ postponed: 'disk' });
    expect(await feed.upkeep({ timeoutMs: 0 })).toMatchObject({ postponed: 'time' });
  });
});

describe('a connector of others', () => {
  it('is a module by its path that exports `createMount`, given the options and the tenant', async () => {
    const built = new URL('../../dist/connectors/reference/index.js', import.meta.url).href;
    const file = join(folder, 'own-mount.mjs');
    writeFileSync(
      file,
      `import { createReferenceProjection } from '${built}';
       export const createMount = ({ tenant, colour }) => {
         if (tenant !== 'local' || colour !== 'green') throw new Error('other options');
         return createReferenceProjection();
       };`,
    );
    const given = { feed: 'work', colour: 'green' } as const;
    await using engine = await engineWith(file, given);
    const scope = await makeScope(engine);
    await remember(engine, scope, 'The harbour closes at nine.');
    await engine.mounts.feed(null);
    const composed = await compose(engine, scope, 'When does the harbour close?');
    expect(textsOf(composed)).toEqual(['The harbour closes at nine.']);
  });
});

describe('a connector of others that cannot be loaded', () => {
  it('says why to who holds the tenant, and in no composition', async () => {
    const file = join(folder, 'own-mount.mjs');
    writeFileSync(file, `throw new Error('no such plug');`);
    await using engine = await engineWith(file);
    const scope = await makeScope(engine);
    const [health] = await engine.mounts.health();
    expect([health?.verdict, health?.advice.join()]).toEqual([
      'down',
      expect.stringContaining('It failed: no such plug'),
    ]);
    const { degraded } = await compose(engine, scope, 'morning');
    expect(degraded.map(({ part }) => part)).toEqual(['mount archive']);
    expect(JSON.stringify(degraded)).not.toContain('no such plug');
  });
});

describe('a mount that is not there', () => {
  it('is left out and named, and the other layers are served', async () => {
    const down: ProjectionConnector = {
      name: SPACE_NAME,
      connect: () => Promise.reject(new Error('the disk is gone')),
    };
    await using engine = await engineWith(down);
    const scope = await makeScope(engine);
    await engine.append(scope as ScopeUuid, { role: 'user', content: 'Good morning.' });
    const { degraded, text, cache } = await compose(engine, scope, 'morning');
    expect(degraded.map(({ part }) => part)).toEqual(['mount archive']);
    // What another engine says of itself may name files of the server.
    expect(degraded[0]?.reason).toBe('It was left out: it failed.');
    expect(text).toContain('Good morning.');
    expect(cache.state).toBe('miss');
    expect((await compose(engine, scope, 'morning')).cache.state).toBe('miss');
  });

  it('is left out and named where it is late, within the deadline of the call', async () => {
    const right = createReferenceProjection();
    const late: ProjectionConnector = {
      name: 'late',
      connect: async (options) => ({
        ...(await right.connect(options)),
        query: () => new Promise<never>(() => undefined),
      }),
    };
    await using engine = await engineWith(late);
    const scope = await makeScope(engine);
    await engine.append(scope as ScopeUuid, { role: 'user', content: 'Good morning.' });
    const { degraded, text, cache } = await engine.composeBlockContext({
      ...{ scope_block_uuid: scope as ScopeUuid, intent: 'fact', query: 'morning' },
      ...{ permission_profile: PROFILE, deadline_ms: 10_000 },
    });
    expect(degraded.map(({ part }) => part)).toEqual(['mount archive']);
    expect(degraded[0]?.reason).toContain('did not answer within `2000` ms');
    expect([text.includes('Good morning.'), cache.state]).toEqual([true, 'miss']);
  });

  it('is cancelled where it is late, and changes nothing once it answers', async () => {
    const right = createReferenceProjection();
    let signal: AbortSignal | undefined;
    let answer = (): void => undefined;
    const late: ProjectionConnector = {
      name: 'late',
      connect: async (options) => ({
        ...(await right.connect(options)),
        query: (request) => {
          ({ signal } = request);
          const error = { code: 'CONNECTOR.UNAVAILABLE', message: 'It is down.' } as const;
          const parts = request.parts.map(({ id }) => ({ id, ok: false as const, error }));
          return new Promise((resolve) => {
            answer = () => resolve({ parts, next_edge: null });
          });
        },
      }),
    };
    await using engine = await engineWith(late);
    const scope = await makeScope(engine);
    const { degraded } = await engine.composeBlockContext({
      ...{ scope_block_uuid: scope as ScopeUuid, intent: 'fact', query: 'morning' },
      ...{ permission_profile: PROFILE, deadline_ms: 2_000 },
    });
    expect(signal?.aborted).toBe(true);
    answer();
    await new Promise(setImmediate);
    expect(degraded.map(({ part }) => part)).toEqual(['mount archive']);
  });

  it('is fed and made again by who holds the whole tenant alone', async () => {
    await using engine = await engineWith(createReferenceProjection());
    const scope = await makeScope(engine);
    const bound = engine.as({ ...PROFILE, principal: 'agent', kind: 'agent', scopes: [scope] });
    for (const call of [
      bound.mounts.feed(null),
      bound.mounts.rebuild('archive'),
      bound.mounts.health(),
    ])
      expect((await refusalOf(call)).code).toBe('PERMISSION.DENIED');
  });

  it('is refused in a manifest, and by name', async () => {
    const refusal = await refusalOf(openEngine({ manifests: join(folder, 'manifests') }));
    expect(refusal.message).toContain('MANIFEST.UNKNOWN_MOUNT');
    await using engine = await engineWith(createReferenceProjection());
    expect((await refusalOf(engine.mounts.rebuild('archiv'))).message).toContain('`archiv`');
  });
});
