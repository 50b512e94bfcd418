/**
 * Whatever the turns of a history are, its messages fit the budget as its text does: counted as
 * their texts, they exceed it by no more than the words that frame them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounter, type TokenCounter } from '../../src/budget/counter.ts';
import type { Composition, ContextEngine, TurnInput } from '../../src/index.ts';
import { LOCAL_PROFILE } from '../../src/index.ts';
import type { MessagesOf } from '../../src/model/messages.ts';
import { openEngine } from '../support/engines.ts';

const BUDGETS = [120, 300, 1000, 4000];
const RUNS = 40;
/** `(called … with …; no result is kept)`, a name in front, a closed fence, backslashes. */
const FRAME_OF_MESSAGE = 12;
/** Where the messages begin, and whose results stand without their calls. */
const FRAME = 60;

const manifest = (budget: number): string => `
apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: b${budget}, version: 1, scope_block_type: notes }
spec:
  model: gpt-4o
  layers: { system: { text: "Be brief." }, recent: { limit: 30 } }
  budget: { total_tokens: ${budget} }
`;

const text = fc.oneof(
  fc.lorem({ maxCount: 12 }),
  fc.lorem({ maxCount: 150 }),
  fc.constantFrom('да, конечно', '好的，我明白了。', '```ts\nconst a = 1;', 'a\u{e0041}\u202eb'),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.array(fc.lorem({ maxCount: 5 }), { maxLength: 60 }),
  fc.nat({ max: 4000 }).map((length) => 'const alpha = beta;\n'.repeat(length / 20)),
  fc.nat({ max: 400 }).map((length) => '汉字"\\'.repeat(length)),
  fc.nat({ max: 400 }).map((length) => `${'\u{e0041}'.repeat(length)}${'汉'.repeat(length)}`),
  fc.object({ maxDepth: 3 }),
);
const call = fc.record({
  id: fc.constantFrom('a', 'b', 'call 1', 'c'.repeat(90)),
  name: fc.constantFrom('read', 'write_file', 'fs.read: a', 'x'.repeat(3000)),
  arguments: fc.dictionary(fc.constantFrom('path', 'text', 'ключ', 'n'.repeat(300)), value),
});
const exchange = fc
  .record({
    asked: text,
    author: fc.constantFrom(undefined, 'Ann', 'Bo'),
    calls: fc.array(call, { maxLength: 3 }),
    answered: fc.nat({ max: 3 }),
    said: text,
  })
  .map(({ asked, author, calls, answered, said }): readonly TurnInput[] => [
    { role: 'user', content: asked, ...(author !== undefined && { author }) },
    ...(calls.length === 0
      ? []
      : [{ role: 'assistant', content: '', metadata: { tool_calls: calls } } as const]),
    ...calls.slice(0, answered).map(({ id }) => ({
      ...{ role: 'tool', content: said || 'done', metadata: { tool_call_id: id } },
    })),
    { role: 'assistant', content: said },
  ])
  .map((turns) => turns.filter(({ content, metadata }) => content.trim() !== '' || metadata));

/** What a model reads of the messages, ids of calls aside. */
const TEXTS: ReadonlySet<string> = new Set(
  'content text value name toolName arguments instructions output'.split(' '),
);
function textsOf(sent: unknown): readonly string[] {
  if (Array.isArray(sent)) return sent.flatMap(textsOf);
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries(sent).flatMap(([name, each]) => {
    if (name === 'input' && !Array.isArray(each)) return [JSON.stringify(each)];
    return typeof each === 'string' ? (TEXTS.has(name) ? [each] : []) : textsOf(each);
  });
}

describe('messages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextengine-message-budget-'));
  let engine: ContextEngine;
  let counter: TokenCounter;
  beforeAll(async () => {
    for (const budget of BUDGETS) writeFileSync(join(folder, `b${budget}.yaml`), manifest(budget));
    engine = await openEngine({ manifests: folder, embedder: 'off' });
    counter = await createCounter('o200k_base');
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });
  const composed = (scope: string, budget: number): Promise<Composition> =>
    engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: '',
      permission_profile: LOCAL_PROFILE,
      manifest: `b${budget}`,
    });
  const formats: readonly (keyof MessagesOf)[] = [
    'openai',
    'openai-responses',
    'anthropic',
    'ai-sdk',
  ];

  it('never exceed the budget by more than their frame, and send calls whole where they fit', async () => {
    const seen = { cut: 0, whole: 0 };
    const histories = fc.array(exchange, { minLength: 1, maxLength: 6 }).map((all) => all.flat());
    await fc.assert(
      fc.asyncProperty(histories, async (turns) => {
        const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'notes' });
        await engine.append(scope, turns);
        for (const budget of BUDGETS) {
          const composition = await composed(scope, budget);
          const { tokens, items, warnings } = composition;
          expect(tokens.encoding).toBe('o200k_base');
          const shown = items.filter(({ turn }) => turn !== null);
          const calls = shown.reduce((sum, { turn }) => sum + (turn?.tool_calls.length ?? 0), 0);
          const most = tokens.budget + FRAME + FRAME_OF_MESSAGE * (shown.length + calls);
          for (const format of formats) {
            const texts = textsOf(composition.messages(format));
            const sent = texts.reduce((sum, each) => sum + counter.count(each), 0);
            expect(sent, `${format} at ${budget}`).toBeLessThanOrEqual(most);
          }
          const isCut = shown.some(({ turn }) => turn?.sent_calls !== undefined);
          expect(warnings.some(({ code }) => code === 'HISTORY.CALL_CUT')).toBe(isCut);
          if (isCut) seen.cut += 1;
          else if (calls > 0) seen.whole += 1;
        }
      }),
      { numRuns: RUNS, seed: 20_261_128 },
    );
    expect(seen.cut).toBeGreaterThan(RUNS / 4);
    expect(seen.whole).toBeGreaterThan(RUNS / 4);
  }, 300_000);
});
