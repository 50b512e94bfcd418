/**
 * No digest of content is stored without the key of its tenant, in no column of any table; and what
 * is found again by such digests is found again.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { ContextEngine, PermissionProfile } from '../../src/index.ts';
import type { Totals } from '../../src/ingest/batches.ts';
import { digestOf, earlierUuid } from '../../src/ingest/keys.ts';
import { openSource } from '../../src/ingest/open-source.ts';
import { scopeOf, writeSource } from '../../src/ingest/write-source.ts';
import { parseTenant } from '../../src/model/ids.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { openEngine, refusalOf, START_MS, type TestClock } from '../support/engines.ts';
import { day } from '../support/ledger.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const TENANT = parseTenant('local');
const PROFILE: PermissionProfile = {
  principal: 'local',
  tenant: TENANT,
  kind: 'human',
  scopes: '*',
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
const TEXT = '# Boiler\n\nThe boiler is in the attic.\n';
const SAID = 'where is the boiler?';

describeOnDatabases('digests of content', (openDatabase) => {
  const time: TestClock = { ms: START_MS };
  let opened: TestDatabase;
  let engine: ContextEngine;
  let folder: string;

  beforeAll(async () => {
    opened = await openDatabase();
    folder = mkdtempSync(join(tmpdir(), 'contextengine-keyed-'));
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs', 'a.md'), TEXT);
    writeFileSync(
      join(folder, 'chat.jsonl'),
      `${JSON.stringify({ role: 'user', content: SAID })}\n`,
    );
    const rights = { kind: 'human', scopes: '*', tiers: { redactions: 'T1' } } as const;
    await pgvectorAuthority(opened.database).changeRights(
      TENANT,
      { action: 'set', principal: 'local', ...rights },
      { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) },
    );
    const database = opened.url === null ? { dataDir: join(folder, 'data') } : { url: opened.url };
    engine = await openEngine({ database, time, permission_profile: PROFILE });
    return async () => {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    };
  }, 120_000);

  async function ingest(path: string): Promise<Totals & { readonly scope: string }> {
    const source = await openSource({
      ...{ path, adapter: undefined, name: undefined },
      terminal: memoryTerminal({ cwd: folder }),
    });
    const [first] = source.sources;
    if (!first) throw new Error('a source is there');
    const asked = { tenant: 'local', scope: undefined, type: 'short_scope' };
    const { uuid } = await scopeOf(first, { ...asked, title: undefined, inherits: [] }, engine);
    const onCommit = async (): Promise<void> => undefined;
    time.ms += 60_000;
    const target = { engine, scope: uuid, nowMs: time.ms, onCommit };
    return { ...(await writeSource(first, target)), scope: uuid };
  }

  it('of an ingest are found again, and nobody can compute them', async () => {
    const docs = await ingest('docs');
    const chat = await ingest('chat.jsonl');
    expect([docs.stored, chat.stored]).toEqual([2, 1]);
    const again = [await ingest('docs'), await ingest('chat.jsonl')];
    expect(again.map(({ stored, duplicate }) => [stored, duplicate])).toEqual([
      [0, 2],
      [0, 1],
    ]);
    expect(again.map(({ scope }) => scope)).toEqual([docs.scope, chat.scope]);
    const first = digestOf(['user', null, null, SAID]);
    const turn = digestOf([`chat.jsonl#${first}`, 'turn', 'user', null, null, SAID, '']);
    const chunk = digestOf(['Boiler', 'Boiler', TEXT.trim()]).slice(0, 12);
    const bare = digestOf(['Boiler', null, TEXT.trim()]).slice(0, 12);
    const root = earlierUuid(['document', docs.scope, 'docs', 'a.md']);
    const guesses = [
      ...[sha256(TEXT), sha256(SAID), first, turn, chunk, bare, root],
      earlierUuid(['turn', chat.scope, `turn:${turn}:0`]),
      earlierUuid(['chunk', root, `${chunk}@0`]),
      earlierUuid(['scope', 'local', 'short_scope', 'docs']),
    ];
    const served = await engine.composeBlockContext({
      ...{ scope_block_uuid: docs.scope as never, intent: 'fact', query: SAID },
      permission_profile: PROFILE,
    });
    guesses.push(sha256(served.text));
    expect((await engine.erasure.verify(guesses)).found).toEqual([]);
    expect(await engine.replay(served.composition_id)).toMatchObject({ identical: true });
  });

  it('of a key of the application give no uuid that can be taken before it', async () => {
    const digest = sha256(JSON.stringify(['local', 'scope', 'auth0|dana']));
    const squatted = uuidOf(digest) as never;
    await engine.scopes.create({ type: 'short_scope', uuid: squatted, title: 'squatted' });
    expect(await engine.scopes.find('auth0|dana')).toBeNull();
    const made = await engine.scopes.getOrCreate({ type: 'short_scope', key: 'auth0|dana' });
    expect(made).toMatchObject({ is_new: true });
    expect(made.scope_block_uuid).not.toBe(squatted);
    expect(await engine.scopes.find('auth0|dana')).toBe(made.scope_block_uuid);
  });

  it('do not bring back a file that was forgotten, nor stand in the way of a new one', async () => {
    const { scope } = await ingest('docs');
    const rowsOf = async (): Promise<readonly string[]> => {
      const all: string[] = [];
      for await (const line of engine.exportScope(scope as never))
        if (JSON.stringify(line).includes('"block_type":"document"'))
          all.push(JSON.stringify(line));
      return all;
    };
    const [row] = await rowsOf();
    const { row: document } = JSON.parse(row ?? '{}') as { row: { root_uuid: string } };
    await engine.forget({ block: document.root_uuid });
    for (const state of ['suppressed', 'erased']) {
      expect(await ingest('docs'), state).toMatchObject({ stored: 0, duplicate: 2 });
      await engine.erasure.erase((await engine.erasure.list())[0]?.redaction_uuid ?? null);
    }
    expect(await rowsOf()).toEqual([]);
    writeFileSync(join(folder, 'docs', 'a.md'), `${TEXT}\nIt is red.\n`);
    expect(await ingest('docs')).toMatchObject({ stored: 2, duplicate: 0 });
    expect(await ingest('docs')).toMatchObject({ stored: 0, duplicate: 2 });
    expect(await rowsOf()).toHaveLength(1);
  });

  it('are refused where all that was ingested into was forgotten', async () => {
    const { scope } = await ingest('chat.jsonl');
    await engine.forget({ scope: scope as never }, { now: true });
    expect((await refusalOf(ingest('chat.jsonl'))).code).toBe('CLI.INPUT');
  });

  it('are made anew after all of the tenant was erased', async () => {
    const before = (await engine.keyedDigests()).digestOf('a text');
    expect((await engine.keyedDigests()).digestOf('a text')).toBe(before);
    await engine.forget({ tenant: true }, { now: true });
    expect((await engine.keyedDigests()).digestOf('a text')).not.toBe(before);
  });
});
