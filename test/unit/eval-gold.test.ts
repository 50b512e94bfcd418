/** Gold files: what the reader refuses, and what the set of this repository promises. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readGold } from '../../eval/gold/gold-file.ts';
import { sideOf } from '../../eval/gold/questions.ts';
import { goldSuite, ownSuite } from '../../eval/own-suites.ts';
import { ContextEngineError } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'eval-gold-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOUND = `
gold: v1
now: 2026-03-01
stores:
  team:
    scope_type: note
    conversations:
      - key: talk
        at: 2026-01-05T09:00:00Z
        turns: [ { Ada: "The cat is grey." }, { Bo: "Mine is red." } ]
    facts:
      - { key: f1, at: 2026-01-06, text: "Ada has a cat." }
questions:
  - { id: q1, q: "What colour?", category: recall, layer: semantic, store: team, evidence: [talk/1] }
`;

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  return path;
}

function refusal(text: string): { code: string; field: string | undefined; fix: string } {
  try {
    readGold(write('broken.yaml', text));
  } catch (error) {
    if (error instanceof ContextEngineError)
      return { code: error.code, field: error.where?.field, fix: error.fix };
    throw error;
  }
  throw new Error('It was read without a refusal.');
}

describe('a gold file', () => {
  it('gives inputs to the manifest, single values alone', () => {
    expect(
      readGold(write('inputs.yaml', `${SOUND}inputs: { product: Acme, seats: 3 }\n`)).suite.inputs,
    ).toEqual({
      product: 'Acme',
      seats: 3,
    });
    expect(refusal(`${SOUND}inputs: { product: [Acme] }\n`)).toMatchObject({
      code: 'EVAL.DATA',
      field: 'inputs.product',
    });
  });

  it('names turns by conversation and number, a minute apart', () => {
    const { suite } = readGold(write('sound.yaml', SOUND));
    expect(
      suite.stores[0]?.turns.map(({ key, author, occurred_at: at }) => [key, author, at]),
    ).toEqual([
      ['talk/1', 'Ada', '2026-01-05T09:00:00.000Z'],
      ['talk/2', 'Bo', '2026-01-05T09:01:00.000Z'],
    ]);
    expect(suite.questions[0]).toMatchObject({
      id: 'q1',
      evidence: ['talk/1'],
      intent: 'fact',
      side: sideOf('q1'),
    });
  });

  it('has a digest of every byte of every file', () => {
    const main = SOUND.replace('stores:', 'include: [more.yaml]\nstores:');
    write('more.yaml', 'stores: { team: { facts: [ { key: f2, text: "One." } ] } }');
    const first = readGold(write('main.yaml', main)).suite;
    write('more.yaml', 'stores: { team: { facts: [ { key: f2, text: "Two." } ] } }');
    const second = readGold(write('main.yaml', main)).suite;
    expect(first.stores[0]?.facts.map(({ key }) => key)).toEqual(['f1', 'f2']);
    expect(second.dataSha256).not.toBe(first.dataSha256);
  });

  it('puts a store after those that it inherits from', () => {
    const text = SOUND.replace(
      '    scope_type: note',
      '    scope_type: note\n    inherits: [outer]',
    ).replace('questions:', '  outer: { scope_type: place }\nquestions:');
    expect(readGold(write('outer.yaml', text)).suite.stores.map(({ key }) => key)).toEqual([
      'outer',
      'team',
    ]);
  });

  it.each([
    ['no YAML at all', 'a: [', undefined],
    ['another version', SOUND.replace('v1', 'v9'), 'gold'],
    ['no time', SOUND.replace('now: 2026-03-01', ''), ''],
    ['a time that is none', SOUND.replace('2026-03-01', 'soon'), 'now'],
    ['an unknown key', SOUND.replace('now:', 'knw: 1\nnow:'), ''],
    [
      'an unknown key of a fact',
      SOUND.replace('at: 2026-01-06', 'when: 2026-01-06'),
      'stores.team.facts[0]',
    ],
    [
      'a fact without text',
      SOUND.replace('text: "Ada has a cat."', 'class: fact'),
      'stores.team.facts[0].text',
    ],
    [
      'a turn that is no author and words',
      SOUND.replace('{ Ada: "The cat is grey." }', '"words"'),
      'stores.team.conversations[0].turns[0]',
    ],
    ['evidence that is not there', SOUND.replace('[talk/1]', '[talk/3]'), 'question q1'],
    ['a store that is not there', SOUND.replace('store: team', 'store: crew'), 'question q1'],
    ['a key given twice', SOUND.replace('key: f1', 'key: talk/1'), ''],
    ['no scope type', SOUND.replace('scope_type: note', 'title: note'), ''],
    ['no questions', SOUND.slice(0, SOUND.indexOf('questions:')), ''],
    [
      'a file that is not there',
      SOUND.replace('stores:', 'include: [nowhere.yaml]\nstores:'),
      undefined,
    ],
  ])('is refused for %s', (_, text, field) => {
    const refused = refusal(text);
    expect(refused).toMatchObject({ code: 'EVAL.DATA', field });
    expect(refused.fix.length).toBeGreaterThan(5);
  });

  it('needs a manifest from somewhere', () => {
    const path = write('alone.yaml', SOUND);
    expect(() => goldSuite(path)).toThrow(/names no manifest/);
    expect(goldSuite(path, 'm.yaml').manifest).toBe('m.yaml');
  });
});

describe('the gold set of this repository', () => {
  const { suite } = ownSuite('gold');
  const answerable = suite.questions.filter(({ evidence }) => evidence.length > 0);
  const textOf = new Map(
    suite.stores.flatMap(({ turns, facts, typed }) => [
      ...[...turns, ...facts].map(({ key, content }) => [key, content] as const),
      ...typed.map(({ key, value }) => [key, String(value)] as const),
    ]),
  );

  it('has six categories of at least 15 questions, 130 in all, and 40 that cannot be answered', () => {
    const counts = new Map<string, number>();
    for (const { category } of answerable) counts.set(category, (counts.get(category) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual([
      'decision_lookup',
      'implementation_lookup',
      'memory_recall',
      'procedure_lookup',
      'temporal',
      'typed_lookup',
    ]);
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(15);
    expect(answerable.length).toBeGreaterThanOrEqual(130);
    expect(suite.questions.length - answerable.length).toBeGreaterThanOrEqual(40);
  });

  it('is split about six to four', () => {
    const share = answerable.filter(({ side }) => side === 'dev').length / answerable.length;
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.7);
  });

  it('asks in other words: no question of a conversation repeats most of its evidence', () => {
    const wordsOf = (text: string): readonly string[] =>
      text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
    const copied = answerable
      .filter(({ category }) => category === 'memory_recall')
      .filter(({ query, evidence }) => {
        const said = new Set(evidence.flatMap((key) => wordsOf(textOf.get(key) ?? '')));
        const asked = wordsOf(query);
        return asked.filter((word) => said.has(word)).length > 0.6 * asked.length;
      });
    expect(copied.map(({ id }) => id)).toEqual([]);
  });

  it('asks about the past where values changed', () => {
    expect(answerable.filter(({ asOf }) => asOf !== undefined).length).toBeGreaterThanOrEqual(5);
  });

  it('is small enough to ship', () => {
    const characters = suite.stores
      .flatMap(({ turns, facts }) => [...turns, ...facts])
      .reduce((sum, { content }) => sum + content.length, 0);
    expect(characters).toBeGreaterThan(30_000);
    expect(characters).toBeLessThan(300_000);
  });
});
