/** A composition says which variant of its manifest it was made under, and is replayed under it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '../../eval/evaluate.ts';
import { goldSuite } from '../../eval/own-suites.ts';
import { run } from '../../src/cli/run.ts';
import type { Composition, ContextEngine, ScopeUuid } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine } from '../support/engines.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'variants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = (weights: Readonly<Record<string, number>>): string => {
  const path = join(folder, 'chat.yaml');
  const changes: Readonly<Record<string, string>> = {
    short: 'layers: { recent: { limit: 2 } }',
    plain: 'render: { format: markdown }, layers: { system: { text: "Other words." } }',
  };
  const variants = Object.entries(weights).map(
    ([name, weight]) => `    ${name}: { weight: ${weight}, ${changes[name]} }\n`,
  );
  writeFileSync(
    path,
    'apiVersion: contextengine.test/v1\nkind: ContextDomain\nmetadata: { name: chat, version: 1, scope_block_type: chat_session }\n' +
      `spec:\n  layers: { system: { text: Words. }, recent: { limit: 5 } }\n${variants.length === 0 ? '' : `  variants:\n${variants.join('')}`}`,
  );
  return path;
};

const PROFILE = { principal: 'u', tenant: 'variants', kind: 'human', scopes: '*' } as const;
const CALL = { permission_profile: PROFILE };
const SCOPES = 24;

describeOnDatabases('variants', (open) => {
  let database: { readonly url: string } | { readonly dataDir: string };
  const engineOf = (weights: Readonly<Record<string, number>>): Promise<ContextEngine> =>
    openEngine({ database, manifests: manifest(weights), embedder: 'off' });
  const compose = (engine: ContextEngine, scope: ScopeUuid, trace = false): Promise<Composition> =>
    engine.composeBlockContext({
      ...{ scope_block_uuid: scope, intent: 'follow_up', query: 'q', trace },
      ...CALL,
    });
  let scopes: readonly ScopeUuid[];
  let served: readonly Composition[];
  const nameOf = ({ manifest: { variant } }: Composition): string => variant ?? '(as written)';

  beforeAll(async () => {
    const { url } = await open();
    database = url === null ? { dataDir: join(folder, 'data') } : { url };
    await using engine = await engineOf({ short: 0.4, plain: 0.3 });
    const made: ScopeUuid[] = [];
    for (let index = 0; index < SCOPES; index += 1) {
      const { scope_block_uuid: scope } = await engine.scopes.create(
        { type: 'chat_session' },
        CALL,
      );
      await engine.append(
        scope,
        Array.from({ length: 6 }, (_, turn) => ({ role: 'user', content: `turn ${turn}` })),
        CALL,
      );
      made.push(scope);
    }
    scopes = made;
    served = await Promise.all(scopes.map((scope) => compose(engine, scope)));
    for (const [index, scope] of scopes.entries()) {
      const again = await compose(engine, scope);
      expect(again.cache.state).toBe('hit');
      expect([again.manifest, again.text]).toEqual([served[index]?.manifest, served[index]?.text]);
    }
  }, 120_000);

  it('are served each to its scopes, with their own settings', () => {
    expect(new Set(served.map(nameOf))).toEqual(new Set(['short', 'plain', '(as written)']));
    for (const composition of served) {
      const name = nameOf(composition);
      expect(composition.layers['recent']?.items).toBe(name === 'short' ? 2 : 5);
      expect(composition.text.includes('Other words.')).toBe(name === 'plain');
    }
    expect(new Set(served.map((composition) => composition.manifest.digest)).size).toBe(1);
  });

  it('stand in the receipt, its settings digest, the trace and explain', async () => {
    await using engine = await engineOf({ short: 0.4, plain: 0.3 });
    const digests = new Map<string, Set<string>>();
    for (const composition of served) {
      const { receipt, items } = await engine.explain(composition.composition_id, CALL);
      expect(receipt.manifest).toEqual(composition.manifest);
      const name = nameOf(composition);
      digests.set(name, (digests.get(name) ?? new Set()).add(receipt.settings_digest));
      expect(items[0]?.why).toBe(
        `text of manifest chat@1${name === '(as written)' ? '' : `, variant ${name}`}`,
      );
    }
    expect([...digests.values()].map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set([...digests.values()].flatMap((set) => [...set])).size).toBe(3);
    for (const [index, scope] of scopes.entries()) {
      const { trace, manifest: used } = await compose(engine, scope, true);
      expect(trace?.variant).toBe(used.variant ?? null);
      expect(used).toEqual(served[index]?.manifest);
    }
  });

  it('are what a replay renders, whatever the weights are now', async () => {
    for (const weights of [{ short: 0.001, plain: 0.999 }, { short: 1 }, {}]) {
      await using engine = await engineOf(weights);
      for (const composition of served)
        expect(await engine.replay(composition.composition_id, CALL)).toEqual({
          text: composition.text,
          identical: true,
          gone: [],
        });
      const now = await Promise.all(scopes.map((scope) => compose(engine, scope)));
      if (!('plain' in weights))
        expect(new Set(now.map(nameOf))).toEqual(
          new Set(['short' in weights ? 'short' : '(as written)']),
        );
    }
  });
});

describe('variants in an evaluation', () => {
  const gold = join(folder, 'gold.yaml');
  beforeAll(() => {
    writeFileSync(
      join(folder, 'notes.yaml'),
      `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: notes, version: 1, scope_block_type: note }
spec:
  layers: { system: { enabled: false }, semantic: { top_k: 20 } }
  scoring: { formula: sim, mmr_lambda: 1 }
  budget: { total_tokens: 1000 }
  variants:
    none: { weight: 0.5, layers: { semantic: { scoring: { floor: 1 } } } }
    all: { weight: 0.5, budget: { total_tokens: 900 } }
`,
    );
    writeFileSync(
      gold,
      `gold: v1
name: notes
now: 2026-06-01
manifest: notes.yaml
stores:
  notes:
    scope_type: note
    blocks:
      - { key: cat, at: 2026-01-02, text: "The grey cat sleeps on the piano." }
      - { key: tram, at: 2026-01-03, text: "Line seven of the tram ends at the harbour." }
questions:
  - { id: q1, q: "Where does the cat sleep?", category: recall, layer: semantic, store: notes, evidence: [cat] }
`,
    );
  });

  it('are taken out, or one is pinned for every scope', async () => {
    const prepared = await goldSuite(gold);
    const contexts = async (variant?: string): Promise<readonly unknown[]> => {
      const report = await evaluate(
        { ...prepared, ...(variant !== undefined && { variant }) },
        { embedder: 'off', budgets: [500] },
      );
      return [report.evidence_in_context['500'], report.settings_sha256];
    };
    const [written, none, all] = [await contexts(), await contexts('none'), await contexts('all')];
    expect([written[0], none[0], all[0]]).toEqual([1, 0, 1]);
    expect(new Set([written[1], none[1], all[1]]).size).toBe(3);
  });

  it('are named by a flag, and an unknown one is refused', async () => {
    const cli = async (...words: readonly string[]) => {
      const terminal = memoryTerminal({ cwd: folder });
      const code = await run(
        ['eval', 'run', '--gold', gold, '--embedder', 'off', ...words],
        terminal,
      );
      return { code, err: terminal.errors() };
    };
    expect(await cli('--variant', 'all', '--budget', '500')).toMatchObject({ code: 0 });
    const refused = await cli('--variant', 'al');
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('`al`');
    expect(refused.err).toContain('none, all');
  });
});
