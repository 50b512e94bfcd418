/** The help pages, from the commands' own data. */

import type { Command, FlagTable } from './command.ts';
import { flagsOf, LEDGER_FLAGS } from './command.ts';
import { wrap } from './table.ts';
import type { Terminal } from './terminal.ts';

const FLAG_COLUMN = 28;

/** The page of one command. */
export function commandHelp(
  command: Command,
  terminal: Pick<Terminal, 'paintOut' | 'columns'>,
): string {
  const title = (text: string): string => terminal.paintOut('bold', text);
  const own = Object.fromEntries(
    Object.entries(flagsOf(command)).filter(
      ([name]) =>
        !(command.usesLedger && Object.hasOwn(LEDGER_FLAGS, name)) ||
        Object.hasOwn(command.flags, name),
    ),
  );
  const parts = [
    `${command.summary}\n`,
    `${title('Usage')}\n  contextengine ` +
      `${[command.name, command.takes.usage, '[flags]'].filter((part) => part !== '').join(' ')}\n`,
    `${title('Flags')}\n${flagLines(own, terminal.columns)}\n`,
  ];
  if (command.usesLedger)
    parts.push(
      `${title('Ledger')}  (flags > environment > contextengine.config.json > ` +
        `default)\n${flagLines(LEDGER_FLAGS, terminal.columns)}\n`,
    );
  if (command.notes !== undefined) parts.push(`${command.notes.trim()}\n`);
  parts.push(
    `${title('Examples')}\n${command.examples.map((example) => `  ${example}`).join('\n')}\n`,
  );
  return parts.join('\n');
}

function flagLines(flags: FlagTable, columns: number): string {
  return Object.entries(flags)
    .map(([name, spec]) => {
      const left =
        '  ' +
        `--${name}${spec.value === undefined ? '' : ` ${spec.value}`}${spec.isMultiple ? ' …' : ''}`;
      const right = wrap(spec.help, columns, ' '.repeat(FLAG_COLUMN)).trimStart();
      return left.length < FLAG_COLUMN - 1
        ? left.padEnd(FLAG_COLUMN) + right
        : `${left}\n${' '.repeat(FLAG_COLUMN)}${right}`;
    })
    .join('\n');
}

/** The first page: every command in a line. */
export function overview(
  commands: readonly Command[],
  terminal: Pick<Terminal, 'paintOut'>,
): string {
  const title = (text: string): string => terminal.paintOut('bold', text);
  const width = Math.max(...commands.map((command) => command.name.length)) + 2;
  return [
    'Context for LLM features: declared in a manifest, composed in one call, replayable byte ' +
      'for byte.\n',
    `${title('Usage')}\n  contextengine COMMAND [flags]\n`,
    `${title('Commands')}\n${commands.map((command) => `  ${command.name.padEnd(width)}${command.summary}`).join('\n')}\n`,
    `${title('Start')}\n  contextengine demo            a look at it, in a throw-away ` +
      'database\n  contextengine init            a manifest of your own\n  contextengine help ' +
      'COMMAND    flags and examples of one command\n',
    'Exit codes: 0 fine, 1 a fault of contextengine, 2 something you can fix, 4 findings.\n',
  ].join('\n');
}
