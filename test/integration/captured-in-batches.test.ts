/** A value, the next one and its end: the same memory, however the turns fall into batches. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const CHAT = `apiVersion: contextengine.test/v1
kind: ContextDomain
metadata: { name: chat, version: 1, scope_block_type: chat_session }
spec:
  layers: { schema_typed: { collection: person }, open_set: { top_k: 8 } }
  writing: { into: { preference: user, fact: user, rule: user, typed: user } }
`;
const PERSON = `apiVersion: contextengine.test/v1
kind: Collection
metadata: { name: person, version: 1 }
spec:
  properties:
    dietary: { type: option, options: [vegetarian, vegan], patterns: ["i am {value}"] }
`;
const DAYS = ['2026-02-01', '2026-05-01', '2026-10-05', '2026-11-10'];

/** 3 = 3, 1 + 2, 2 + 1, 1 + 1 + 1. */
const partitions = (count: number): readonly (readonly number[])[] =>
  count === 0
    ? [[]]
    : Array.from({ length: count }, (_, index) => index + 1).flatMap((first) =>
        partitions(count - first).map((rest) => [first, ...rest]),
      );

describeOnDatabases('a talk in batches', (open, flavor) => {
  let engine: ContextEngine;
  beforeAll(async () => {
    const manifests = mkdtempSync(join(tmpdir(), 'batches-'));
    mkdirSync(join(manifests, 'collections'));
    writeFileSync(join(manifests, 'chat.yaml'), CHAT);
    writeFileSync(join(manifests, 'collections', 'person.yaml'), PERSON);
    engine = await openLocalEngine(open, flavor, { manifests });
    return async () => {
      await engine.close();
      rmSync(manifests, { recursive: true });
    };
  });

  async function knownAfter(said: readonly string[], batches: readonly number[]) {
    const { scope_block_uuid: user } = await engine.scopes.create({ type: 'user' });
    const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
    let at = 0;
    for (const count of batches) {
      const turns = said.slice(at, at + count).map((content, index) => ({
        ...{ role: 'user' as const, author: 'Ada', content },
        occurred_at: `${DAYS[at + index] ?? ''}T09:00:00.000Z`,
      }));
      await engine.append(made.scope_block_uuid, turns);
      await engine.capture(made.scope_block_uuid);
      at += count;
    }
    const list = async (state: 'current' | 'past') => {
      const { facts } = await engine.facts.list({ scope: user, state });
      return facts
        .map(({ row }) => {
          const what = 'content' in row ? row.content : JSON.stringify(row.value);
          return `${what} ${row.valid_from.slice(0, 10)} ${row.valid_until?.slice(0, 10) ?? ''}`;
        })
        .sort();
    };
    return { current: await list('current'), past: await list('past') };
  }

  it.each([
    [['I live in Rome.', 'I live in Oslo now.', 'I no longer live in Oslo.'], []],
    [['I work at Acme.', 'I work at Globex now.', 'I quit Globex.'], []],
    [
      ['I am vegan.', 'I am vegetarian.', "I'm not vegetarian any more."],
      ['Ada is not vegetarian any more. 2026-10-05 '],
    ],
    [
      [
        'I live in Rome.',
        'I live in Oslo now.',
        'I no longer live in Oslo.',
        'I live in Bern now.',
      ],
      ['Ada lives in Bern now. 2026-11-10 '],
    ],
  ])('leave the same: %s', async (said, current) => {
    const all: Awaited<ReturnType<typeof knownAfter>>[] = [];
    for (const batches of partitions(said.length).toReversed())
      all.push(await knownAfter(said, batches));
    const [alone, ...others] = all;
    expect(alone?.current).toEqual(current);
    for (const other of others) expect(other).toEqual(alone);
  });
});
