/**
 * Canaries in every kind of copy: none is left after the erasure, in no column of any table, and in
 * no file of an embedded folder that was compacted.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openPgliteOwner } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import { openPostgresOwner } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import { type Line, LineDigest } from '../../src/look-back/scope-format.ts';
import type { ErasureCertificate } from '../../src/model/erasure.ts';
import { parseTenant, type ScopeUuid, type Uuid } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { day } from '../support/ledger.ts';

const TENANT = parseTenant('local');
const PROFILE: PermissionProfile = {
  principal: 'local',
  tenant: TENANT,
  kind: 'human',
  scopes: '*',
};
const AGENT: PermissionProfile = { ...PROFILE, principal: 'bot', kind: 'agent' };
/** Of each kind. The bar is 100, by hand: it takes minutes. */
const EACH = Number(process.env['CONTEXTENGINE_CANARIES'] ?? 8);
/** Every canary of a kind holds this: one word of letters that nothing else has. */
const wordOf = (kind: string): string => `qxcanary${kind}zw`;
const KINDS = [
  'turn',
  'document',
  'chunk',
  'fact',
  'typed',
  'tag',
  'metadata',
  'author',
  'title',
  'summary',
  'query',
  'input',
  'core',
  'proposal',
] as const;

const MANIFEST = (core: string): string => `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: canaries, version: 1, scope_block_type: canary_scope }
spec:
  model: gpt-4.1
  inputs: { product: {} }
  layers:
    system: { text: "You help customers of {{product}}." }
    core: { file: ${core} }
    recent: { limit: 12 }
    summary: { kinds: [rolling] }
    schema_typed: {}
    open_set: { top_k: 20 }
    semantic: { top_k: 10 }
  budget: { total_tokens: 40000 }
`;

interface World {
  readonly engine: ContextEngine;
  readonly scope: ScopeUuid;
  readonly stays: ScopeUuid;
  readonly composition: Uuid;
  readonly turn: Uuid;
  readonly exported: readonly unknown[];
}

async function plantAll(engine: ContextEngine, time: TestClock): Promise<World> {
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'canary_scope' });
  const { scope_block_uuid: stays } = await engine.scopes.create({ type: 'canary_scope' });
  let turn: Uuid | undefined;
  for (let n = 0; n < EACH; n += 1) {
    time.ms += 60_000;
    const said = (kind: (typeof KINDS)[number]): string => `the ${wordOf(kind)} number ${n} spoke`;
    const written = await engine.append(scope, [
      { content: said('turn'), author: said('author'), tags: [wordOf('tag')], role: 'user' },
      { content: said('document'), block_type: 'document', title: said('title') },
      { content: said('chunk'), block_type: 'chunk', metadata: { heading: said('metadata') } },
    ]);
    turn ??= written.receipts[0]?.uuid as Uuid;
    await engine.remember(scope, { content: said('fact'), subject: 'Zoe' });
    await engine.setTyped(scope, `subject ${n}`, 'profile', 'city', said('typed'));
    await engine.summarize(scope, {
      kind: 'rolling',
      content: said('summary'),
      covers_to_seq: n,
      sources: [written.receipts[0]?.uuid as Uuid],
    });
    await engine.remember(scope, { content: said('proposal') }, { permission_profile: AGENT });
    await engine.append(stays, { content: `what stays, number ${n}`, author: 'Max' });
  }
  let composition: Uuid | undefined;
  for (let n = 0; n < EACH; n += 1) {
    const answer = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: `the ${wordOf('query')} number ${n}?`,
      inputs: { product: `${wordOf('input')} ${n}` },
      permission_profile: PROFILE,
    });
    composition ??= answer.composition_id as Uuid;
  }
  const exported: unknown[] = [];
  for await (const line of engine.exportScope(scope)) exported.push(line);
  return {
    engine,
    scope,
    stays,
    composition: composition as Uuid,
    turn: turn as Uuid,
    exported,
  };
}

/** The same export, each id another: what it says is known by its words alone. */
async function* underOtherIds(lines: readonly unknown[]): AsyncGenerator<unknown> {
  const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  const others = new Map<string, string>();
  const otherOf = (id: string): string => {
    const other = others.get(id) ?? randomUUID();
    others.set(id, other);
    return other;
  };
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const digest = new LineDigest(sha256);
  for (const line of lines.slice(0, -1))
    yield digest.add(JSON.parse(JSON.stringify(line).replace(ids, otherOf)) as Line);
  yield digest.endLine();
}

/** Every column of every table of both schemas, read by whoever owns them. */
async function scanAll(owner: OwnerDatabase): Promise<readonly string[]> {
  const tables = await owner.query(
    `select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname like 'context%' and c.relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    await owner.query(`alter table ${name} no force row level security`);
    const [row] = await owner.query(
      `select count(*) as hits from ${name} t where t::text ilike '%qxcanary%'`,
    );
    if (Number(row?.['hits']) > 0) found.push(`${name}: ${row?.['hits']}`);
    await owner.query(`alter table ${name} force row level security`);
  }
  const [kept] = await owner.query(
    `select count(*) as hits from pg_stats where schemaname like 'context%' and (
       most_common_vals::text ilike '%qxcanary%' or histogram_bounds::text ilike '%qxcanary%'
       or most_common_elems::text ilike '%qxcanary%')`,
  );
  return Number(kept?.['hits']) > 0 ? [...found, `pg_stats: ${kept?.['hits']}`] : found;
}

function filesWith(folder: string, word: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() && readFileSync(path).includes(word) ? [path] : [];
  });
}

/** Open on a folder with the manifest, and its database. */
interface Place {
  readonly folder: string;
  readonly time: TestClock;
  readonly opened: TestDatabase;
  readonly open: () => Promise<ContextEngine>;
}

async function makePlace(opened: TestDatabase): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-erase-'));
  const time: TestClock = { ms: START_MS };
  writeFileSync(join(folder, 'core.md'), `Always mention the ${wordOf('core')}.\n`);
  writeFileSync(join(folder, 'canaries.yaml'), MANIFEST('./core.md'));
  const database = opened.url === null ? { dataDir: join(folder, 'data') } : { url: opened.url };
  const rights = { kind: 'human', scopes: '*', tiers: { redactions: 'T1' } } as const;
  if (opened.url !== null)
    await pgvectorAuthority(opened.database).changeRights(
      TENANT,
      { action: 'set', principal: 'local', ...rights },
      { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) },
    );
  const options = { database, time, manifests: folder, permission_profile: PROFILE };
  return { folder, time, opened, open: () => openEngine(options) };
}

async function assertNothingLeft({ folder, opened }: Place): Promise<void> {
  const dataDir = join(folder, 'data');
  const owner =
    opened.url === null ? await openPgliteOwner({ dataDir }) : await openPostgresOwner(opened.url);
  try {
    expect(await scanAll(owner)).toEqual([]);
  } finally {
    await owner[Symbol.asyncDispose]();
  }
}

describeOnDatabases('erasure', (openDatabase) => {
  let place: Place;
  let world: World;
  const kinds = KINDS.map(wordOf);
  beforeAll(async () => {
    place = await makePlace(await openDatabase());
    const engine = await place.open();
    world = await plantAll(engine, place.time);
    for (const kind of kinds)
      expect((await engine.erasure.verify([kind])).found, kind).not.toEqual([]);
    await engine.close();
    // The core file is edited, as its owner would: what composed with it is in the store alone.
    writeFileSync(join(place.folder, 'core.md'), 'Always be kind.\n');
    return () => rmSync(place.folder, { recursive: true, force: true });
  }, 240_000);

  it('reaches every copy in the store, and certifies it', { timeout: 240_000 }, async () => {
    const engine = await place.open();
    const { certificate } = await engine.forget({ scope: world.scope }, { now: true });
    await engine.forget({ text: wordOf('core') }, { now: true });
    expect((await engine.erasure.verify(kinds)).found).toEqual([]);
    const signed = certificate as ErasureCertificate;
    expect(await engine.erasure.check(signed)).toEqual({ is_whole: true, is_ours: true });
    expect((await engine.erasure.check({ ...signed, reached: {} })).is_whole).toBe(false);
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    for (const reached of [deep, { blocks: 1n }])
      expect((await engine.erasure.check({ ...signed, reached })).is_whole).toBe(false);
    expect(signed.reached).toMatchObject({ proposals: EACH, receipts: EACH });
    expect(JSON.stringify(signed)).not.toContain('qxcanary');
    expect(await engine.erasure.certificate(signed.redaction)).toEqual(signed);
    const lines = async function* (): AsyncGenerator<unknown> {
      yield* world.exported;
    };
    expect((await refusalOf(engine.importScope(lines()))).code).toBe('WRITE.INVALID');
    const elsewhere = await openEngine({ time: place.time, manifests: place.folder });
    const { rows } = await elsewhere.importScope(underOtherIds(world.exported));
    expect(rows).toBeGreaterThan(EACH * 5);
    await elsewhere.close();
    const refused = await refusalOf(engine.importScope(underOtherIds(world.exported)));
    expect(refused.message).toContain('holds what was forgotten');
    const kept = await engine.composeBlockContext({
      scope_block_uuid: world.stays,
      intent: 'follow_up',
      query: 'what stays?',
      permission_profile: PROFILE,
    });
    expect(kept.text).toContain('what stays, number 3');
    await engine.close();
    await assertNothingLeft(place);
  });

  it('leaves none in the files of a folder that was compacted', { timeout: 240_000 }, async () => {
    if (place.opened.url !== null) {
      const engine = await place.open();
      expect((await refusalOf(engine.erasure.compact())).code).toBe('CONFIG.INVALID_VALUE');
      await engine.close();
      return;
    }
    const dataDir = join(place.folder, 'data');
    expect(filesWith(dataDir, 'qxcanary')).not.toEqual([]);
    const engine = await place.open();
    await engine.erasure.compact();
    await engine.close();
    expect(filesWith(dataDir, 'qxcanary')).toEqual([]);
  });
});
