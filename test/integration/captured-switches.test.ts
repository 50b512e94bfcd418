/** `I switched to helix` ends the use of a tool of that kind, and of nothing else. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { ContextEngine } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { START_MS, type TestClock } from '../support/engines.ts';
import { openLocalEngine } from '../support/local-engine.ts';

const DAY_MS = 86_400_000;

describeOnDatabases('a switch to another tool', (open, flavor) => {
  let engine: ContextEngine;
  let user: string;
  const time: TestClock = { ms: START_MS };

  beforeAll(async () => {
    engine = await openLocalEngine(open, flavor, { time });
    return () => engine.close();
  });
  beforeEach(async () => {
    time.ms = START_MS;
    ({ scope_block_uuid: user } = await engine.scopes.create({ type: 'user' }));
  });
  const say = async (...said: readonly string[]): Promise<void> => {
    for (const content of said) {
      time.ms += 40 * DAY_MS;
      const made = await engine.scopes.create({ type: 'chat_session', inherits: [user] });
      const occurred_at = new Date(time.ms);
      const turn = { role: 'user', author: 'Ada', content, occurred_at } as const;
      await engine.append(made.scope_block_uuid, turn);
      await engine.capture(made.scope_block_uuid);
    }
  };
  const told = async (state: 'current' | 'past' = 'current'): Promise<readonly string[]> => {
    const { facts } = await engine.facts.list({ scope: user, state });
    return facts.flatMap(({ row }) => ('content' in row ? [row.content] : [])).sort();
  };

  it.each([
    [['I use vim.', 'I switched to helix'], 'Ada switched to helix.'],
    [['I use Gmail.', 'I switched to Proton Mail'], 'Ada switched to Proton Mail.'],
    [['I use Gmail.', 'I moved to Proton Mail'], 'Ada moved to Proton Mail.'],
    [['I use Chrome.', 'I use Firefox now'], 'Ada uses Firefox now.'],
    [['I use an iPhone.', 'I switched to Android'], 'Ada switched to Android.'],
    [['I use foo.', 'I switched to bar from foo'], 'Ada switched to bar from foo.'],
    [['I use vim.', 'I switched to helix from vim', 'I switched to Zed'], 'Ada switched to Zed.'],
  ])('ends it: %j', async (said, left) => {
    await say(...said);
    expect(await told()).toEqual([left]);
    expect(await told('past')).toHaveLength(said.length - 1);
  });

  it.each([
    [['I use vim.'], 'I switched to Proton Mail'],
    [['I use vim.'], 'I switched to Postgres'],
    [['I use vim at work.'], 'I switched to helix'],
    [['I use vim and tmux.'], 'I switched to helix'],
    [['I use vim.', 'I use emacs.'], 'I switched to helix'],
    [['I use VS Code.'], 'I switched to vscode'],
    [['I use vim.'], 'I switched to helix for Rust'],
    [['I use vim.'], 'I switched to helix but went back to vim'],
    [['I use vim.'], 'I almost switched to helix'],
    [['I use vim.'], 'My brother switched to helix'],
    [['I use foo.'], 'I switched to bar from baz'],
    [['I like vim.'], 'I switched to helix'],
    [['I live in Rome.'], 'I moved to Proton Mail'],
  ])('ends nothing: %j %s', async (said, last) => {
    await say(...said);
    const before = await told();
    expect(before).toHaveLength(said.length);
    await say(last);
    expect(await told()).toEqual(expect.arrayContaining([...before]));
  });
});
