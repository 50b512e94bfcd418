/** A greeting asks for nothing, and gets no facts that happen to be the nearest. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';

const FACTS = [
  'Mara is allergic to peanuts.',
  'Mara drinks tea, never coffee.',
  "Mara's dog is called Bram.",
  'The greenhouse opens at seven.',
  'Invoices are paid within thirty days.',
  'Say hello to Mara in Dutch.',
];

async function openEngine(overrides: Readonly<Record<string, number>>) {
  const folder = mkdtempSync(join(tmpdir(), 'courtesies-'));
  writeFileSync(
    join(folder, 'm.yaml'),
    `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: m, version: 1, scope_block_type: thread }
spec:
  layers: { system: { enabled: false }, open_set: { top_k: 24 } }
`,
  );
  const engine = await createContextEngine({
    ...{ database: { inMemory: true }, manifests: folder, overrides },
  });
  rmSync(folder, { recursive: true });
  const { scope_block_uuid } = await engine.scopes.create({ type: 'thread' });
  await engine.remember(
    scope_block_uuid,
    FACTS.map((content) => ({ content })),
  );
  const ask = async (query: string) => {
    const { items, warnings } = await engine.composeBlockContext({
      ...{ scope_block_uuid, intent: 'follow_up', query },
      permission_profile: LOCAL_PROFILE,
    });
    return { texts: items.map(({ text }) => text), codes: warnings.map(({ code }) => code) };
  };
  return { ask, [Symbol.asyncDispose]: () => engine.close() };
}

it('shows of facts what speaks of greetings, and all as before to a question', async () => {
  await using opened = await openEngine({});
  const { ask } = opened;
  for (const greeting of ['hi', 'hello there', 'Hi!'])
    expect((await ask(greeting)).texts).toEqual(['Say hello to Mara in Dutch.']);
  const thanked = await ask('ok, thanks!');
  expect(thanked.texts).toEqual([]);
  expect(thanked.codes).toContain('NOTHING_RELEVANT');
  for (const [question, answer] of [
    ['hi, what is my dog called?', "Mara's dog is called Bram."],
    ['What should I cook for Mara?', 'Mara is allergic to peanuts.'],
    ['yes please', 'Mara drinks tea, never coffee.'],
  ] as const)
    expect((await ask(question)).texts).toContain(answer);
});

it('shows what is like a greeting at all, where an operator takes the floor away', async () => {
  await using opened = await openEngine({ 'scoring.courtesy_floor': 0 });
  expect((await opened.ask('hello there')).texts.length).toBeGreaterThan(1);
});
