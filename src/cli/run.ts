/** The router: words in, exit code out. Nothing is caught below it. */
import { nearest } from '../manifest/suggest.ts';
import { parseCommandLine, usageError } from './arguments.ts';
import type { Command, ExitCode } from './command.ts';
import { COMMAND_NAMES, loadCommand, loadCommands } from './commands/index.ts';
import { reportFailure } from './failure.ts';
import { commandHelp, overview } from './help.ts';
import { withOwnName } from './own-name.ts';
import { packageVersion } from './package-root.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command line. Never throws: what goes wrong is printed on stderr and becomes the exit
 * code.
 */
export async function run(words: readonly string[], given: Terminal): Promise<ExitCode> {
  const terminal = withOwnName(given, COMMAND_NAMES);
  try {
    return await dispatch(words, terminal);
  } catch (error) {
    return reportFailure(error, terminal, isJsonAsked(words));
  }
}

/** Before `--` only: what follows it is text. */
const isJsonAsked = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  const flags = end < 0 ? words : words.slice(0, end);
  return flags.includes('--json') || flags.includes('--jsonl');
};

async function dispatch(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = words;
  if (
    first === undefined ||
    first === '--help' ||
    first === '-h' ||
    (first === 'help' && rest.length === 0)
  ) {
    await terminal.out(overview(await loadCommands(), terminal));
    return 0;
  }
  if (first === '--version' || first === '-v') {
    await terminal.out(`${packageVersion()}\n`);
    return 0;
  }
  const isHelp = first === 'help' || rest.includes('-h');
  const command = await commandNamed(first === 'help' ? (rest[0] ?? '') : first);
  if (isHelp) return showHelp(command, terminal);
  const { flags, positionals } = parseCommandLine(command, rest);
  if (flags.isOn('help')) return showHelp(command, terminal);
  return command.run({ flags, positionals, terminal, isJson: flags.isOn('json') });
}

async function showHelp(command: Command, terminal: Terminal): Promise<ExitCode> {
  await terminal.out(commandHelp(command, terminal));
  return 0;
}

async function commandNamed(name: string): Promise<Command> {
  const command = await loadCommand(name);
  if (command) return command;
  const near =
    OTHER_NAMES.get(name) ??
    nearest(
      name,
      (await loadCommands()).map((known) => known.name),
    );
  const what = name.startsWith('-')
    ? `\`${name}\` stands before the command.`
    : `There is no command \`${name}\`.`;
  throw usageError(
    what,
    `${near === undefined ? '' : `Did you mean \`${near}\`? `}Run \`contextengine help\`.`,
  );
}

/** What other tools call a command. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['lint', 'validate'],
  ['check', 'validate'],
  ['format', 'fmt'],
  ['search', 'facts'],
  ['memories', 'facts'],
  ['list', 'facts'],
  ['delete', 'forget'],
  ['remove', 'forget'],
  ['add', 'remember'],
  ['query', 'compose'],
  ['approve', 'approvals'],
  ['worker', 'work'],
  ['status', 'doctor'],
]);
