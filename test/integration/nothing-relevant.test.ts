/** When a chat has no answer, and when it only seems to have none. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ContextEngine, createContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import type { ScopeUuid } from '../../src/model/ids.ts';
import { PACKAGE_MANIFESTS } from '../support/local-engine.ts';
import { readRepositoryFile } from '../support/source-files.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const FIRST_DAY = Date.UTC(2026, 0, 5);
const HOUR_MS = 3_600_000;
/** From this size on a store says something by the words that it lacks. */
const FILLER_TURNS = 400;

/** Statement, question with nouns that the store has in another form or not at all. */
const GERMAN = [
  ['Unser Kater Moritz frisst nur noch Lachs aus der Dose.', 'Welches Futter bekommt unser Kater?'],
  ['Ich vertrage keine Haselnüsse mehr.', 'Gegen welche Nüsse habe ich eine Allergie?'],
  ['Das Auto steht bei Herrn Krüger in der Werkstatt.', 'Wo ist das Auto zur Reparatur?'],
  ['Mein Zahnarzt heißt Doktor Weber.', 'Wie heißt mein Zahnarzt?'],
  ['Ich arbeite als Krankenpfleger in Fulda.', 'Welchen Beruf habe ich im Krankenhaus?'],
  ['Das Passwort für den Drucker ist Sonnenblume.', 'Wie lautet das Druckerpasswort?'],
] as const;

let engine: ContextEngine;
beforeAll(async () => {
  engine = await createContextEngine({
    database: { inMemory: true },
    manifests: PACKAGE_MANIFESTS,
    permission_profile: LOCAL_PROFILE,
  });
});
afterAll(() => engine.close());

async function chatOf(contents: readonly string[]): Promise<ScopeUuid> {
  const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
  const turns = contents.map((content, index) => ({
    content,
    role: 'user',
    author: 'Mara',
    occurred_at: new Date(FIRST_DAY + index * HOUR_MS).toISOString(),
  }));
  for (let from = 0; from < turns.length; from += 100)
    await engine.append(scope, turns.slice(from, from + 100));
  for (let pending = 1; pending > 0; ) ({ pending } = await engine.embedPending());
  return scope;
}

const ask = (scope: ScopeUuid, query: string) =>
  engine.composeBlockContext({
    scope_block_uuid: scope,
    intent: 'fact',
    query,
    permission_profile: LOCAL_PROFILE,
  });
const codesOf = async (scope: ScopeUuid, query: string): Promise<readonly string[]> =>
  (await ask(scope, query)).warnings.map(({ code }) => code);

describe('a question in German', () => {
  let scope: ScopeUuid;
  beforeAll(async () => {
    const statements = readRepositoryFile('eval/data/languages/de.tsv')
      .text.trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
    const filler = Array.from({ length: FILLER_TURNS }, (_, index) =>
      [index, 7 * index + 3].map((at) => statements[at % statements.length]).join(' '),
    );
    scope = await chatOf([...GERMAN.map(([statement]) => statement), ...filler]);
  });

  it('finds with the capitals of its nouns what it finds in lower case', async () => {
    const isServed = async (asked: string): Promise<boolean> =>
      (await ask(scope, asked)).items.some(({ layer }) => layer === 'semantic');
    let served = 0;
    for (const [, query] of GERMAN) {
      const asWritten = await isServed(query);
      expect(asWritten, query).toBe(await isServed(query.toLowerCase()));
      if (asWritten) served += 1;
    }
    expect(served).toBeGreaterThanOrEqual(4);
  });
});

describe('an answer that the last turns hold already', () => {
  it('is no lack of an answer', async () => {
    const scope = await chatOf(['My dentist is Doctor Weber.', 'The rent is due on Monday.']);
    const codes = await codesOf(scope, 'Who is my dentist?');
    expect(codes).not.toContain('NOTHING_RELEVANT');
    const { text, warnings } = await ask(scope, 'Who is my dentist?');
    expect(text).toContain('Doctor Weber');
    expect(warnings.map(({ message }) => message).join()).not.toContain('`semantic` holds nothing');
  });

  it('is missed where the last turns speak of something else', async () => {
    const scope = await chatOf(['My dentist is Doctor Weber.']);
    expect(await codesOf(scope, 'Zeppelin?')).toContain('NOTHING_RELEVANT');
  });
});
