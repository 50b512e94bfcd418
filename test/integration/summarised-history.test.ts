/** A history beside the rolling summary of its beginning. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { parseXml } from '../support/rendered-text.ts';

const TURNS = 200;
const CORRECTED = 150;
/** Of the scope itself: the turn `n` is recorded behind it. */
const SCOPE_SEQ = 1;
const BUDGETS = [500, 700, 1000, 1500, 2000, 3000, 4000, 8000, 16_000];
const COVERED = [120, 190, 198];
const NAMES = ['system', 'pinned', 'summary', 'recent', 'semantic'];
const manifest = (budget: number): string => `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: budget-${budget}, version: 1, scope_block_type: chat_session }
spec:
  model: gpt-4o
  layers: { recent: { limit: 12 }, summary: { kinds: [rolling] }, semantic: { top_k: 5 } }
  budget: { total_tokens: ${budget} }
`;
const LENGTHS = [6, 20, 60, 150];
const said = (n: number): string =>
  n === CORRECTED
    ? `Turn ${n} corrects it: the launch is on 17 March, not on 3 March.`
    : `Turn ${n} ${'speaks of the harbour, '.repeat((LENGTHS[(n * 7) % 4] ?? 0) / 6)}and ends.`;

const folder = mkdtempSync(join(tmpdir(), 'contextengine-summarised-'));
let engine: ContextEngine;
const scopes = new Map<number, string>();
beforeAll(async () => {
  for (const budget of BUDGETS) writeFileSync(join(folder, `${budget}.yaml`), manifest(budget));
  engine = await createContextEngine({
    database: { inMemory: true },
    embedder: 'off',
    manifests: folder,
  });
  for (const covered of COVERED) {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    scopes.set(covered, scope);
    const turns = Array.from({ length: TURNS }, (_, n) => ({ role: 'user', content: said(n) }));
    await engine.append(scope, turns);
    await engine.summarize(scope, summaryOf(scope, covered, 'They planned a launch.'));
  }
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true });
});

/** Of the first `covered` turns. */
const summaryOf = (scope: string, covered: number, content: string) => {
  const to = SCOPE_SEQ + covered;
  const sources = [{ scope, from_seq: SCOPE_SEQ + 1, to_seq: to }];
  return { kind: 'rolling', content, covers_to_seq: to, sources } as const;
};

async function composed(scope: string, budget: number) {
  const composition = await engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'follow_up',
    query: 'And now?',
    manifest: `budget-${budget}`,
    permission_profile: LOCAL_PROFILE,
  });
  const options = { layerNames: NAMES, trustedLayers: new Set(['system']) };
  const layers = parseXml(composition.text, options);
  const recent = layers.find(({ name }) => name === 'recent');
  const shown = (recent?.items ?? []).map(({ text }) => Number(/Turn (\d+)/.exec(text)?.[1]));
  const isWarned = composition.warnings.some(({ code }) => code === 'HISTORY.GAP');
  return { composition, shown, isWarned, isMarked: recent?.hasGap ?? false };
}

const CASES = COVERED.flatMap((covered) => BUDGETS.map((budget) => [covered, budget] as const));

describe('a session of 200 turns with a summary', () => {
  it.each(CASES)('of %i: no hole, no false mark, no idle token at %i', async (covered, budget) => {
    const { composition, shown, isWarned, isMarked } = await composed(
      scopes.get(covered) ?? '',
      budget,
    );
    const first = shown[0] ?? TURNS;
    expect(shown).toEqual(Array.from({ length: TURNS - first }, (_, index) => first + index));
    expect(composition.text).toContain('They planned a launch.');
    expect(isWarned).toBe(first > covered);
    expect(isMarked).toBe(first > covered && shown.length > 0);
    expect(JSON.stringify(composition.messages('openai')).includes('begin in the middle')).toBe(
      isMarked,
    );
    // A turn has 310 tokens at most; the beginning of a long one is shown where it is long here.
    if (first > 0) expect(composition.tokens.used).toBeGreaterThan(budget - 320);
  });

  it('shows what its summary left out, where there is room', async () => {
    const { composition, shown } = await composed(scopes.get(190) ?? '', 16_000);
    expect(shown).toContain(CORRECTED);
    expect(composition.text).toContain('17 March');
  });

  it('marks the turns that only a cut summary covers', async () => {
    const scope = scopes.get(198) ?? '';
    const long = 'They went through all of the matters, one by one. '.repeat(80);
    await engine.summarize(scope, summaryOf(scope, 199, long));
    const { isWarned, isMarked } = await composed(scope, 500);
    expect({ isWarned, isMarked }).toEqual({ isWarned: true, isMarked: true });
  });
});
