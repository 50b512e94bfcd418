/** How the user runs the command, so that a hint can be typed as it is printed. */
import type { Terminal } from './terminal.ts';

/** npx says what it runs: the name of the bin, in quotes (npm 11) or without them. */
const RUN_BY_NPX = /^'?contextengine\b/;

export const ownName = (env: Terminal['env']): string =>
  env['npm_lifecycle_event'] === 'npx' && RUN_BY_NPX.test(env['npm_lifecycle_script'] ?? '')
    ? 'npx contextengine'
    : 'contextengine';

/** Commands in what is printed on stderr get the name by which this one was run. */
export function withOwnName(terminal: Terminal, commands: readonly string[]): Terminal {
  const name = ownName(terminal.env);
  if (name === 'contextengine') return terminal;
  const hint = new RegExp(
    `(?<!npx )(?<![\\w./@-])contextengine(?=\\s+(?:${commands.join('|')})\\b)`,
    'g',
  );
  return { ...terminal, err: (text) => terminal.err(text.replace(hint, name)) };
}
