/**
 * The layer `documents`: what was written down to be remembered comes before what is long, and what
 * was merged away comes last.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AnyRow, Composition, ContextEngine, ScopeUuid } from '../../src/index.ts';
import { planDocument } from '../../src/ingest/document-operations.ts';
import { openFolder } from '../../src/ingest/documents.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine } from '../support/engines.ts';

const PROFILE = { principal: 'u', tenant: 'documents', kind: 'human', scopes: '*' } as const;
const CALL = { permission_profile: PROFILE };
const QUERY = 'rotate the signing key';
/** One sentence in each, so that only its class and its links tell two apart. */
const TEXT = 'Rotate the signing key before the release.';
const FILES: Readonly<Record<string, string>> = {
  'lessons/keys.md': `${TEXT} It was forgotten once.`,
  'plans/keys.md': `${TEXT} It is step four.`,
  'guide/keys.md': `${TEXT} It takes a minute.`,
  'guide/old.md': `${TEXT} It takes an hour.`,
  'guide/merged.md': `${TEXT} It needs two people.`,
  'notes/said.md': `---\nclass: lesson\n---\n${TEXT} Said of itself.`,
  'notes/topic.md': `---\nname: keys\ntype: feedback\n---\n${TEXT} A person corrected it.`,
  'notes/wave.md': `---\nclass: wave-spec\n---\n${TEXT} Wave two.`,
  'guide/garden.md': 'Water the tomatoes on Mondays.',
};

const folder = mkdtempSync(join(tmpdir(), 'documents-layer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeOnDatabases('the layer of documents', (open) => {
  let engine: ContextEngine;
  let scope: ScopeUuid;
  const roots = new Map<string, string>();
  beforeAll(async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(folder, 'docs', dirname(path)), { recursive: true });
      writeFileSync(join(folder, 'docs', path), text);
    }
    const manifest = join(folder, 'agent.yaml');
    writeFileSync(
      manifest,
      `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: agent, version: 1, scope_block_type: project }
spec:
  layers: { system: { enabled: false }, documents: { top_k: 20, scoring: { floor: 0.35 } } }
  scoring: { mmr_lambda: 1 }
  intents: { bare: { layers: [documents], floor: 0 } }
`,
    );
    const { url } = await open();
    engine = await openEngine({
      database: url === null ? { inMemory: true } : { url },
      manifests: manifest,
      embedder: 'off',
    });
    ({ scope_block_uuid: scope } = await engine.scopes.create({ type: 'project' }, CALL));
    await ingest();
    await engine.remember(
      scope,
      [
        { content: `${TEXT} Learned by a person.`, class: 'lesson' },
        { content: `${TEXT} Any fact.`, class: 'fact' },
      ],
      CALL,
    );
    const rootOf = (path: string): string => roots.get(path) ?? '';
    for (const [type, from, to] of [
      ['absorbed_by', 'guide/merged.md', 'guide/keys.md'],
      ['replaces', 'guide/keys.md', 'guide/old.md'],
    ] as const)
      await engine.link(scope, { type, from: rootOf(from), to: rootOf(to) }, CALL);
    return () => engine.close();
  }, 60_000);

  async function ingest(): Promise<void> {
    const [source] = await openFolder({
      path: join(folder, 'docs'),
      shown: 'docs',
      name: 'docs',
    } as Parameters<typeof openFolder>[0]);
    for await (const record of source?.records() ?? []) {
      if (record.kind !== 'document') continue;
      const versions: readonly AnyRow[] = [];
      const { operations } = planDocument(record, versions, {
        ...{ scope, source: 'docs', title: 'docs', nowMs: Date.now() },
        keyed: (digest) => digest,
        root: randomUUID(),
      });
      const { receipts } = await engine.write(operations, CALL);
      roots.set(record.path, receipts[0]?.root_uuid ?? '');
    }
  }
  const compose = (intent = 'bare'): Promise<Composition> =>
    engine.composeBlockContext({
      ...{ scope_block_uuid: scope, intent, query: QUERY, trace: true },
      ...CALL,
    });
  const scores = ({ items }: Composition): Readonly<Record<string, number>> =>
    Object.fromEntries(
      items.map(({ text, score }) => [
        text.replace(`${TEXT} `, '').replace(/[^a-z ]/gi, ''),
        score ?? 0,
      ]),
    );

  it('boosts lessons, dampens process documents, lowers what was absorbed or replaced', async () => {
    const composition = await compose();
    const found = scores(composition);
    const simOf = (text: string): number =>
      composition.items.find((item) => item.text.includes(text))?.signals.sim ?? 0;
    expect(Object.keys(found).length).toBe(9);
    expect(found['It takes a minute']).toBeCloseTo(simOf('a minute'), 6);
    expect(found['It was forgotten once']).toBeCloseTo(1.5 * simOf('forgotten once'), 6);
    expect(found['Said of itself']).toBeCloseTo(1.5 * simOf('of itself'), 6);
    expect(found['Learned by a person']).toBeCloseTo(1.5 * simOf('by a person'), 6);
    expect(found['A person corrected it']).toBeCloseTo(1.5 * simOf('corrected it'), 6);
    expect(found['Wave two']).toBeCloseTo(0.85 * simOf('Wave two'), 6);
    expect(found['It is step four']).toBeCloseTo(0.85 * simOf('step four'), 6);
    expect(found['It takes an hour']).toBeCloseTo(0.5 * simOf('an hour'), 6);
    expect(found['It needs two people']).toBeCloseTo(0.5 * simOf('two people'), 6);
    const order = Object.entries(found)
      .sort(([, a], [, b]) => b - a)
      .map(([text]) => text);
    const files = order.filter((text) => text !== 'Learned by a person');
    expect(files.slice(0, 3).sort()).toEqual([
      'A person corrected it',
      'It was forgotten once',
      'Said of itself',
    ]);
    expect(files.slice(3, 6)).toEqual(['It takes a minute', 'It is step four', 'Wave two']);
  });

  it('applies the floor last, and says so', async () => {
    const composition = await compose('fact');
    expect(composition.items.every(({ score }) => (score ?? 0) >= 0.35)).toBe(true);
    const floored = (composition.trace?.dropped ?? []).filter(({ reason }) => reason === 'floor');
    expect(floored.every(({ score }) => (score ?? 1) < 0.35)).toBe(true);
    expect(composition.items.length + floored.length).toBe(9);
    expect(composition.trace?.formulas['documents']).toContain('class_boost');
  });

  it('explains by class and links, and replays', async () => {
    const { composition_id: id, text } = await compose();
    const { items } = await engine.explain(id, CALL);
    const why = items.map((item) => item.why).join('\n');
    for (const word of ['class_boost 1.5', 'class_boost 0.85', 'absorbed 1', 'replaced 1'])
      expect(why).toContain(word);
    expect(await engine.replay(id, CALL)).toEqual({ text, identical: true, gone: [] });
  });

  it('reads the links that are there at the time of the call', async () => {
    const before = scores(await compose())['It needs two people'] ?? 0;
    const links = await engine.link(
      scope,
      {
        type: 'absorbed_by',
        from: roots.get('guide/garden.md') ?? '',
        to: roots.get('guide/keys.md') ?? '',
      },
      CALL,
    );
    await engine.unlink(scope, links.receipts[0]?.root_uuid ?? '', CALL);
    expect(scores(await compose())['It needs two people']).toBe(before);
  });
});
