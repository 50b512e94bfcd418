/** What a capture wrote is taken back by the operation that its receipt names. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { refusalOf, START_MS } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const THIRD = 'Ann has a desk on the third floor.';

describeOnDatabases('the operations of a capture', (open, flavor) => {
  let engine: ContextEngine;
  const time = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });

  const say = async (scope: string, content: string) => {
    time.ms += 86_400_000;
    const occurred_at = new Date(time.ms);
    await engine.append(scope, { role: 'user', author: 'Ann', content, occurred_at });
    const { receipts } = await engine.capture(scope);
    return receipts.flatMap(({ candidates }) => candidates);
  };
  const live = async (scope: string): Promise<readonly unknown[]> =>
    (await engine.facts.list({ scope })).facts.map((fact) =>
      fact.table === 'memory_open_set' ? fact.row.content : fact.row.value,
    );

  it('are in its receipts and in the history, and undo takes them back', async () => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    const [first] = await say(scope, 'I have a desk on the third floor.');
    const [second] = await say(scope, 'I now have a desk on the fifth floor.');
    expect([first?.outcome, second?.outcome]).toEqual(['stored', 'superseded']);
    const history = await engine.facts.history(first?.root_uuid ?? '');
    const brought = history.map(({ origin }) => origin.operation_id);
    expect(new Set(brought)).toEqual(new Set([first?.operation_id, second?.operation_id]));
    const undone = await engine.undo(second?.operation_id ?? '');
    expect(await live(scope)).toEqual([THIRD]);
    // What was taken back is not captured again.
    expect((await engine.capture(scope)).receipts).toEqual([]);
    await engine.undo(undone.receipts[0]?.operation_id ?? '');
    expect(await live(scope)).toEqual(['Ann now has a desk on the fifth floor.']);
  });

  it('are of what was written alone', async () => {
    const { scope_block_uuid: scope } = await engine.scopes.create({ type: 'chat_session' });
    await say(scope, 'I live in Ghent.');
    const known = await say(scope, 'I live in Ghent. My sister lives in Rome.');
    expect(known.map(({ outcome, operation_id: id }) => [outcome, id])).toEqual([
      ['duplicate', null],
      ['quarantined', null],
    ]);
    // What its receipt names was there already.
    expect(await refusalOf(engine.undo(known[0]?.uuid ?? ''))).toMatchObject({
      code: 'WRITE.NOTHING_WRITTEN',
      message: expect.stringContaining('`duplicate` wrote nothing'),
      fix: expect.stringContaining('origin.operation_id'),
    });
    const noop = { operation: 'NOOP', scope, reason: 'nothing new' } as const;
    const [nothing] = (await engine.write([noop])).receipts;
    expect(await refusalOf(engine.undo(nothing?.operation_id ?? ''))).toMatchObject({
      code: 'WRITE.NOTHING_WRITTEN',
      meta: { as: 'NOOP' },
    });
    // Who does not hold it learns nothing of it.
    const by = { principal: 'eve', tenant: 'local', kind: 'human', scopes: [] } as const;
    for (const id of [known[0]?.uuid ?? '', nothing?.operation_id ?? ''])
      expect(await refusalOf(engine.undo(id, { permission_profile: by }))).toMatchObject({
        code: 'WRITE.NOT_FOUND',
      });
    expect(await refusalOf(engine.undo(scope.replace(/^.{8}/, '00000000')))).toMatchObject({
      code: 'WRITE.NOT_FOUND',
    });
  });
});

it('prints each operation, which undo takes', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'cli-capture-undo-'));
  const ran = async (...words: readonly string[]) => {
    const terminal = memoryTerminal({ cwd });
    const code = await run(words, terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
  const ingest = async (content: string): Promise<void> => {
    const line = JSON.stringify({ role: 'user', author: 'Ann', content });
    writeFileSync(join(cwd, 'talk.jsonl'), `${line}\n`);
    expect((await ran('ingest', 'talk.jsonl', '--scope', 'c')).code).toBe(0);
  };
  try {
    mkdirSync(join(cwd, 'manifests'));
    await ran('scope', 'create', '--type', 'chat', '--key', 'c');
    await ingest('I have a desk on the third floor. I live in Ghent.');
    const { out, err } = await ran('capture', '--scope', 'c');
    const [operation] = /^[0-9a-f-]{36} +1 +Ann has a desk on the third floor\.$/m.exec(out) ?? [];
    expect(out).toMatch(/^operation +wrote +what$/m);
    expect(out).toMatch(/^[0-9a-f-]{36} +1 +Ann lives in Ghent\.$/m);
    expect(err).toContain('contextengine undo OPERATION');
    const id = operation?.slice(0, 36) ?? '';
    expect((await ran('undo', id)).code).toBe(0);
    const left = await ran('facts', 'list', '--json');
    expect(left.out).toContain('Ann lives in Ghent.');
    expect(left.out).not.toContain(THIRD);
    await ingest('My favorite color is green.');
    const answer = JSON.parse((await ran('capture', '--scope', 'c', '--json')).out);
    const [candidate] = answer.receipts[0].candidates;
    expect(candidate.operation_id).toMatch(/^[0-9a-f-]{36}$/);
    const shown = await ran('facts', 'get', candidate.root_uuid);
    expect(shown.out).toMatch(new RegExp(`^operation +${candidate.operation_id}$`, 'm'));
    expect((await ran('undo', candidate.operation_id)).code).toBe(0);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
