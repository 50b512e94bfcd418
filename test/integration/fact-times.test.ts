/** What a model sees of the time of facts: which of two is the newer, and when one ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Composition, ContextEngine, FactInput, ScopeUuid } from '../../src/index.ts';
import { parseInstant } from '../../src/model/ids.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine } from '../support/engines.ts';

const PROFILE = { principal: 'u', tenant: 'times', kind: 'human', scopes: '*' } as const;
const CALL = { permission_profile: PROFILE };
const folder = mkdtempSync(join(tmpdir(), 'fact-times-'));
writeFileSync(
  join(folder, 'facts.yaml'),
  `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: facts, version: 1, scope_block_type: thread }
spec:
  layers: { system: { enabled: false }, open_set: { top_k: 20 } }
  scoring: { mmr_lambda: 1 }
`,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnDatabases('the time of facts', (open) => {
  let engine: ContextEngine;
  const time = { ms: Date.parse('2026-11-26T09:00:00.000Z') };
  beforeAll(async () => {
    const { url } = await open();
    engine = await openEngine({
      ...{ database: url === null ? { inMemory: true } : { url }, embedder: 'off' },
      ...{ manifests: folder, time },
    });
    return () => engine.close();
  }, 60_000);

  async function store(facts: readonly FactInput[]): Promise<ScopeUuid> {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'thread' }, CALL);
    for (const fact of facts) await engine.remember(scope, fact, CALL);
    return scope;
  }
  const compose = (scope: ScopeUuid, query: string): Promise<Composition> =>
    engine.composeBlockContext({
      ...{ scope_block_uuid: scope, intent: 'fact', query },
      ...CALL,
    });
  const lines = ({ text }: Composition): string[] =>
    text.split('\n').map((line) => line.replace(/^#\S+ /, ''));

  it('shows the day of two of a month that are about the same, the older first', async () => {
    const scope = await store([
      { content: 'The release train leaves on Friday.', valid_from: '2026-11-20T10:00:00.000Z' },
      { content: 'The release train leaves on Tuesday.', valid_from: '2026-11-03T10:00:00.000Z' },
      { content: 'Nobody is allowed on the train roof.', valid_from: '2026-11-12T10:00:00.000Z' },
      { content: 'The release train left on Monday.', valid_from: '2026-10-05T10:00:00.000Z' },
    ]);
    const composition = await compose(scope, 'When does the release train leave?');
    const shown = lines(composition);
    const november = shown.findIndex((line) => line.startsWith('@Nov'));
    // The third keeps the place of its rank.
    expect(shown.slice(november + 1, november + 4)).toEqual([
      '(3 Nov) The release train leaves on Tuesday.',
      '(20 Nov) The release train leaves on Friday.',
      'Nobody is allowed on the train roof.',
    ]);
    expect(shown).toContain('The release train left on Monday.');
    expect(await engine.replay(composition.composition_id, CALL)).toMatchObject({
      identical: true,
    });
  });

  it('takes facts of one subject for facts about the same', async () => {
    const about = { subject: 'Ada' };
    const scope = await store([
      { ...about, content: 'Ada lives in Rome.', valid_from: '2026-11-20T10:00:00.000Z' },
      { ...about, content: 'Ada moved to Oslo.', valid_from: '2026-11-21T10:00:00.000Z' },
    ]);
    const shown = lines(await compose(scope, 'Where does Ada live, has she moved?'));
    expect(shown).toContain('(20 Nov) Ada lives in Rome.');
    expect(shown).toContain('(21 Nov) Ada moved to Oslo.');
  });

  it('shows the end of a fact, as far as it was known', async () => {
    const scope = await store([
      { content: 'The lift is out of order.', valid_until: '2026-12-24T00:00:00.000Z' },
      { content: 'The lift holds eight people.' },
    ]);
    const before = await compose(scope, 'What about the lift?');
    expect(lines(before)).toContain('(until 2026-12-23) The lift is out of order.');
    expect(lines(before)).toContain('The lift holds eight people.');
    const root = before.items.find(({ text }) => text.includes('eight'))?.root_uuid ?? '';
    const [version] = await engine.history(root, CALL);
    if (version?.table !== 'memory_open_set') throw new Error('no fact');
    const { root_uuid, scope_uuid } = version.row;
    const valid_from = parseInstant('2027-01-31T00:00:00.000Z', 'valid_from');
    const { table } = version;
    await engine.write(
      [{ operation: 'DELETE', table, scope: scope_uuid, root_uuid, cause: 'change', valid_from }],
      CALL,
    );
    expect(await engine.replay(before.composition_id, CALL)).toMatchObject({ identical: true });
    const after = await compose(scope, 'What about the lift?');
    expect(lines(after)).toContain('(until 2027-01-30) The lift holds eight people.');
  });
});
