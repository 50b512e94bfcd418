/**
 * Upkeep: what faded and nobody uses is archived, later pruned, each by an entry of the journal
 * that can be taken back; nothing that is pinned, typed, a source, or was cited lately goes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type {
  ContextEngine,
  FactInput,
  PermissionProfile,
  ScopeUuid,
  Uuid,
} from '../../src/index.ts';
import { parseTenant } from '../../src/model/ids.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, refusalOf } from '../support/engines.ts';
import { day } from '../support/ledger.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'upkeep-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  join(folder, 'notes.yaml'),
  `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: notes }
spec:
  layers: { archival: { top_k: 30, scoring: { floor: 0 } } }
  intents: { recall: { layers: [archival] } }
  budget: { total_tokens: 8000 }
  retention: { archive_under: 0.2, unused_days: 60, prune_after_days: 90 }
`,
);
writeFileSync(
  join(folder, 'plain.yaml'),
  `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: plain, version: 1, scope_block_type: plain }
spec: { layers: { archival: {} } }
`,
);

const DAY = 86_400_000;
/** Long ago: a database takes no clock that is ahead of its own. */
const BEGUN = Date.parse('2015-01-01T09:00:00.000Z');
const text = (n: number): string => `The ferry of line ${n} leaves from quay ${n + 40}.`;

describeOnDatabases('upkeep', (open) => {
  const time = { ms: BEGUN };
  const LOCAL = { principal: 'local', tenant: 'local', kind: 'human', scopes: '*' } as const;
  const call: { readonly permission_profile: PermissionProfile } = { permission_profile: LOCAL };
  let engine: ContextEngine;
  let scope: ScopeUuid;

  beforeAll(async () => {
    const opened = await open();
    // On a server nobody holds T1 by being there; pruning takes `deletes`.
    if (opened.url !== null)
      await pgvectorAuthority(opened.database).changeRights(
        parseTenant('local'),
        { ...LOCAL, action: 'set', tiers: { deletes: 'T1' } },
        { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) },
      );
    const database = opened.url === null ? { inMemory: true as const } : { url: opened.url };
    engine = await openEngine({ database, manifests: folder, embedder: 'off', time });
    return () => engine.close();
  });
  beforeEach(async () => {
    time.ms = BEGUN;
    scope = (await engine.scopes.create({ type: 'notes' }, call)).scope_block_uuid;
  });

  const remember = async (facts: readonly FactInput[]): Promise<readonly Uuid[]> => {
    const { receipts } = await engine.remember(scope, facts, call);
    return receipts.map(({ root_uuid: root }) => root as Uuid);
  };
  const contents = async (): Promise<readonly string[]> =>
    (await engine.facts.list({ scope, state: 'current' }, call)).facts
      .map(({ row }) => ('content' in row ? row.content : ''))
      .sort();
  const outcome = async (kind: 'used' | 'cited', root: string): Promise<void> => {
    const { composition_id } = await engine.composeBlockContext({
      ...call,
      scope_block_uuid: scope,
      intent: 'recall',
      query: 'From which quay does the ferry leave?',
    });
    await engine.recordOutcome({ composition_id, [kind]: [root] }, call);
  };
  const run = async (input = {}) => {
    const { scopes } = await engine.upkeep({ scope, ...input }, call);
    return scopes.find((each) => each.scope_block_uuid === scope);
  };

  it('archives what faded, says so first, and gives it back', async () => {
    const [faint = ''] = await remember([
      { content: text(1), importance: 0.2 },
      { content: text(2), importance: 1 },
    ]);
    time.ms += 70 * DAY;
    const dry = await run({ dry_run: true });
    expect(dry?.archived.map(({ root_uuid: root }) => root)).toEqual([faint]);
    expect(dry?.archived[0]).toMatchObject({ stated: 0.2, estimate: 0.2, uses: 0, idle_days: 70 });
    expect(await contents()).toEqual([text(1), text(2)]);
    const done = await run();
    expect(done?.archived).toMatchObject([{ root_uuid: faint, operation_id: expect.any(String) }]);
    expect(await contents()).toEqual([text(2)]);
    const versions = await engine.history(faint, call);
    expect(versions.map(({ row }) => [row.retired_seq, row.valid_until])).toEqual([
      [null, new Date(time.ms).toISOString()],
    ]);
    // Nothing is left to do, and doing it again does nothing.
    expect(await run()).toMatchObject({ archived: [], pruned: [] });
  });

  it('is in the journal, and taken back by an undo, which counts as a touch', async () => {
    const [root = ''] = await remember([{ content: text(1), importance: 0.2 }]);
    time.ms += 70 * DAY;
    const done = await run();
    const id = done?.archived[0]?.operation_id ?? '';
    const lines = [];
    for await (const line of engine.exportScope(scope, call)) lines.push(JSON.stringify(line));
    const entry = lines.find((line) => line.includes('upkeep: archived')) ?? '';
    for (const part of ['contextengine.upkeep', root, id, 'DELETE']) expect(entry).toContain(part);
    await engine.undo(id, call);
    expect(await contents()).toEqual([text(1)]);
    expect(await run()).toMatchObject({ archived: [], pruned: [] });
  });

  it('keeps what is pinned, cited, a source, used, typed, or written lately', async () => {
    const roots = await remember([
      { content: text(1), importance: 0.1 },
      { content: text(2), importance: 0.1 },
      { content: text(3), importance: 0.1 },
      { content: text(4), importance: 0.1 },
      { content: text(5), importance: 0.1 },
      { content: 'Check the tide table first.', class: 'rule', importance: 0.1 },
    ]);
    const [pinned = '', cited = '', source = '', used = '', gone = ''] = roots;
    await engine.link(scope, { type: 'pinned', to: pinned }, call);
    await engine.setTyped(scope, 'ana', 'people', 'city', 'Porto', call);
    time.ms += 61 * DAY;
    await outcome('cited', cited);
    await outcome('used', used);
    time.ms += 5 * DAY;
    const [version] = await engine.history(source, call);
    const derived = { content: 'A ferry of line 3 is late.', importance: 1 };
    await engine.remember(scope, { ...derived, sources: [version?.row.uuid ?? ''] }, call);
    // It says what was long ago; it was written now.
    const begun = new Date(time.ms - 900 * DAY);
    await remember([{ content: text(6), importance: 0.1, valid_from: begun }]);
    const done = await run();
    expect(done?.archived.map(({ root_uuid: root }) => root)).toEqual([gone]);
    expect(done?.kept).toMatchObject({ pinned: 1, source: 1 });
    expect((await contents()).length).toBe(8);
    // The uses end as well: a citation holds for 30 days, and for as long as it counts as use.
    time.ms += 70 * DAY;
    const later = await run();
    expect(later?.archived.map(({ content }) => content).sort()).not.toContain(text(1));
    expect(later?.kept.pinned).toBe(1);
  });

  it('keeps what was cited within 30 days, whatever the manifest says', async () => {
    writeFileSync(
      join(folder, 'eager.yaml'),
      `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: eager, version: 1, scope_block_type: eager }
spec:
  layers: { archival: { scoring: { floor: 0 } } }
  intents: { recall: { layers: [archival] } }
  retention: { archive_under: 1, unused_days: 1 }
`,
    );
    const { url } = await open();
    const database = url === null ? { inMemory: true as const } : { url };
    await using own = await openEngine({ database, manifests: folder, embedder: 'off', time });
    const eager = (await own.scopes.create({ type: 'eager' }, call)).scope_block_uuid;
    const { receipts } = await own.remember(
      eager,
      [{ content: text(1) }, { content: text(2) }],
      call,
    );
    const [cited = '', other = ''] = receipts.map(({ root_uuid: root }) => root ?? '');
    const request = { ...call, scope_block_uuid: eager, intent: 'recall', query: 'quay' } as const;
    const { composition_id } = await own.composeBlockContext(request);
    await own.recordOutcome({ composition_id, cited: [cited] }, call);
    time.ms += 29 * DAY;
    const [first] = (await own.upkeep({ scope: eager }, call)).scopes;
    expect(first?.archived.map(({ root_uuid: root }) => root)).toEqual([other]);
    expect(first?.kept.cited).toBe(1);
    time.ms += 2 * DAY;
    const [second] = (await own.upkeep({ scope: eager }, call)).scopes;
    expect(second?.archived.map(({ root_uuid: root }) => root)).toEqual([cited]);
    // The manifest says no `prune_after_days`: archived is where it ends.
    time.ms += 3000 * DAY;
    const [third] = (await own.upkeep({ scope: eager }, call)).scopes;
    expect(third).toMatchObject({ archived: [], pruned: [] });
    rmSync(join(folder, 'eager.yaml'));
  });

  it('prunes what was archived long ago, unless it came back or is used', async () => {
    const [gone = '', back = ''] = await remember([
      { content: text(1), importance: 0.1 },
      { content: text(2), importance: 0.1 },
    ]);
    time.ms += 70 * DAY;
    expect((await run())?.archived.length).toBe(2);
    time.ms += 89 * DAY;
    expect((await run())?.pruned).toEqual([]);
    // A person closed it by themselves: that is none of upkeep's.
    await engine
      .remember(scope, { content: text(7), importance: 1, replaces: back }, call)
      .catch(() => null);
    time.ms += 2 * DAY;
    const done = await run();
    expect(done?.pruned.map(({ root_uuid: root }) => root)).toContain(gone);
    const versions = await engine.history(gone, call);
    expect(versions.every(({ row }) => row.retired_seq !== null)).toBe(true);
    expect(await run()).toMatchObject({ archived: [], pruned: [] });
  });

  it('never prunes what somebody else ended', async () => {
    const [root = ''] = await remember([{ content: text(1), importance: 0.1 }]);
    const ended = new Date(time.ms + DAY);
    await engine.write(
      [
        {
          ...{ operation: 'DELETE', table: 'memory_open_set', scope: scope as unknown as Uuid },
          ...{ root_uuid: root as Uuid, cause: 'change', reason: 'upkeep: archived' },
          valid_from: ended.toISOString() as never,
        },
      ],
      call,
    );
    time.ms += 400 * DAY;
    expect(await run()).toMatchObject({ archived: [], pruned: [] });
    expect((await engine.history(root, call)).some(({ row }) => row.retired_seq === null)).toBe(
      true,
    );
  });

  it('passes the door: an agent proposes, once, and a stranger learns of nothing', async () => {
    await remember([{ content: text(1), importance: 0.1 }]);
    time.ms += 70 * DAY;
    const person = call.permission_profile;
    const agent = {
      ...person,
      principal: 'bot',
      kind: 'agent',
      scopes: [scope as string as Uuid],
    } as const;
    const asked = { permission_profile: agent };
    const first = await engine.upkeep({ scope }, asked);
    expect(first.scopes[0]).toMatchObject({ archived: [], proposals: [expect.any(String)] });
    expect(await contents()).toEqual([text(1)]);
    const again = await engine.upkeep({ scope }, asked);
    expect(again.scopes[0]).toMatchObject({ archived: [], proposals: [], kept: { proposed: 1 } });
    const other = { permission_profile: { ...agent, principal: 'bot-2' } };
    await engine.upkeep({ scope }, other);
    time.ms += 30 * DAY;
    const lapsed = await engine.upkeep({ scope }, asked);
    expect(lapsed.scopes[0]).toMatchObject({ kept: { proposed: 0 } });
    expect((await engine.upkeep({ scope }, call)).scopes[0]?.archived).toHaveLength(1);
    const stranger = { ...agent, principal: 'eve', scopes: [] };
    const theirs = { permission_profile: stranger };
    expect((await engine.upkeep({}, theirs)).scopes).toEqual([]);
    expect((await refusalOf(engine.upkeep({ scope }, theirs))).code).toBe('PERMISSION.DENIED');
  });

  it('leaves scopes alone whose manifest asks for none, and takes its weakest first', async () => {
    const plain = (await engine.scopes.create({ type: 'plain' }, call)).scope_block_uuid;
    await engine.remember(plain, { content: text(1), importance: 0 }, call);
    const roots = await remember([
      { content: text(1), importance: 0.2 },
      { content: text(2), importance: 0.1 },
      { content: text(3), importance: 0.15 },
    ]);
    time.ms += 200 * DAY;
    const { scopes } = await engine.upkeep({ limit: 2 }, call);
    const found = new Map(scopes.map((each) => [String(each.scope_block_uuid), each]));
    expect(found.has(plain)).toBe(false);
    const own = found.get(scope);
    expect(own?.archived.map(({ root_uuid: root }) => root)).toEqual([roots[1], roots[2]]);
    expect(own?.is_more).toBe(true);
    for (const input of [{ limit: 0 }, { dry_run: 'yes' }, { scope: 'here' }, { floor: 1 }])
      await refusalOf(engine.upkeep(input as never, call));
  });
});
