/** `I switched to helix` ends the use of a tool of that kind, and of nothing else. */
import { expect, it } from 'vitest';
import { describeOnDatabases } from '../support/databases.ts';
import { separateTalks } from '../support/separate-talks.ts';

describeOnDatabases('a switch to another tool', (open, flavor) => {
  const { say, told } = separateTalks([open, flavor], 40);

  it.each([
    [['I use vim.', 'I switched to helix'], "Ada's editor is helix."],
    [
      ['My password manager is LastPass.', 'I dumped LastPass for Bitwarden.'],
      "Ada's password manager is Bitwarden.",
    ],
    [
      ["I'm on the Pro plan.", 'I downgraded to the free plan.'],
      'Ada downgraded to the free plan.',
    ],
    [['I use the Pro plan.', 'I upgraded to the Team plan.'], 'Ada upgraded to the Team plan.'],
    [['I use Gmail.', 'I switched to Proton Mail'], 'Ada switched to Proton Mail.'],
    [['I use Gmail.', 'I moved to Proton Mail'], 'Ada moved to Proton Mail.'],
    [['I use Chrome.', 'I use Firefox now'], 'Ada uses Firefox now.'],
    [['I use an iPhone.', 'I switched to Android'], 'Ada switched to Android.'],
    [['I use foo.', 'I switched to bar from foo'], 'Ada switched to bar from foo.'],
    [['I use vim.', 'I switched to helix from vim', 'I switched to Zed'], "Ada's editor is Zed."],
    [['I use Chrome.', 'I switched to Firefox'], "Ada's browser is Firefox."],
  ])('ends it: %j', async (said, left) => {
    await say(...said);
    expect(await told()).toEqual([left]);
    expect(await told('past')).toHaveLength(said.length - 1);
  });

  it.each([
    [['My favorite editor is Vim.', 'I use Zed as my editor.'], 'Ada uses Zed as their editor.'],
    [['I write code in Vim.', 'I switched to Zed.'], "Ada's editor is Zed."],
    [
      ['Our database is MySQL.', 'We migrated from MySQL to Postgres.'],
      "Ada's database is Postgres.",
    ],
    [['Our app runs on MySQL.', 'Our database is SQLite now.'], "Ada's database is SQLite now."],
  ])('is of what the tool is: %j', async (said, left) => {
    await say(...said);
    expect(await told()).toEqual([left]);
    expect(await told('past')).toHaveLength(said.length - 1);
  });

  it.each([
    [['Our app runs on MySQL.'], 'Our servers run on Linux now'],
    [['I write code in Vim.'], 'I write code in Rust'],
    [['My favorite editor is Vim.'], 'My favorite browser is Brave'],
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
    [["I'm on the Spotify Premium plan."], 'I downgraded to the free plan at GitHub.'],
  ])('ends nothing: %j %s', async (said, last) => {
    await say(...said);
    const before = await told();
    expect(before).toHaveLength(said.length);
    await say(last);
    expect(await told()).toEqual(expect.arrayContaining([...before]));
  });
});
