/**
 * From the words of a command line to checked flags. Every slip is `CLI.USAGE` and says what was
 * meant.
 */
import { parseArgs } from 'node:util';
import { ContextEngineError } from '../index.ts';
import { nearest } from '../manifest/suggest.ts';
import type { Command, Flags, FlagTable } from './command.ts';
import { flagsOf } from './command.ts';

export interface Parsed {
  readonly flags: Flags;
  readonly positionals: readonly string[];
}

/** `CLI.USAGE`, with the help to read as the fix unless a better one is known. */
export const usageError = (message: string, fix: string): ContextEngineError =>
  new ContextEngineError('CLI.USAGE', { message, fix });

/** Checks words against a command. Throws `CLI.USAGE`. */
export function parseCommandLine(command: Command, words: readonly string[]): Parsed {
  const table = flagsOf(command);
  const seeHelp = `Run \`contextengine help ${command.name}\`.`;
  const options = Object.fromEntries(
    Object.entries(table).map(
      ([name, spec]) => [name, { type: spec.type, multiple: true }] as const,
    ),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') addOption({ token, table, values, seeHelp });
  }
  if (!values.has('help')) checkCount(command, positionals, seeHelp);
  return { flags: createFlags(values), positionals };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function addOption({
  token,
  table,
  values,
  seeHelp,
}: {
  token: OptionToken;
  table: FlagTable;
  values: Map<string, string[]>;
  seeHelp: string;
}): void {
  const { name, rawName, value } = token;
  const spec = Object.hasOwn(table, name) ? table[name] : undefined;
  if (spec === undefined) {
    const known = Object.keys(table);
    const longer = known.filter((each) => name.length > 2 && each.startsWith(name));
    const near = longer.length === 1 ? longer[0] : nearest(name, known);
    throw usageError(
      `Unknown flag \`${rawName}\`.`,
      near === undefined ? seeHelp : `Did you mean \`--${near}\`? ${seeHelp}`,
    );
  }
  if (spec.type === 'boolean' && value !== undefined)
    throw usageError(
      `\`--${name}\` takes no value, got \`${value}\`.`,
      `Write \`--${name}\` alone.`,
    );
  if (
    spec.type === 'string' &&
    (value === undefined || (token.inlineValue !== true && isFlagOf(table, value)))
  ) {
    throw usageError(
      `\`--${name}\` needs a value.`,
      `Write \`--${name} ${spec.value ?? 'VALUE'}\`, or \`--${name}=…\` for a value that ` +
        'begins with dashes.',
    );
  }
  const before = values.get(name) ?? [];
  if (spec.type === 'string' && !spec.isMultiple && before.length > 0)
    throw usageError(`\`--${name}\` is given twice.`, `Give \`--${name}\` once.`);
  values.set(name, [...before, value ?? '']);
}

const isFlagOf = (table: FlagTable, word: string): boolean =>
  word.startsWith('--') && Object.hasOwn(table, word.slice(2).split('=')[0] ?? '');

function checkCount(command: Command, positionals: readonly string[], seeHelp: string): void {
  const { min, max, usage } = command.takes;
  if (positionals.length < min)
    throw usageError(
      `\`${command.name}\` needs ${usage}.`,
      `Write \`contextengine ${command.name} ${usage}\`. ${seeHelp}`,
    );
  const extra = positionals[max];
  if (extra !== undefined)
    throw usageError(
      `\`${command.name}\` does not take \`${extra}\`.`,
      `${extraFix(command, extra)} ${seeHelp}`,
    );
}

/** A word too many is a text without quotes, or the scope of a command that takes no words. */
function extraFix(command: Command, extra: string): string {
  const { extraFix: own, max } = command.takes;
  if (own) return own(extra);
  if (max > 0) return 'Quote a text that has spaces.';
  return 'scope' in command.flags ? `Write \`--scope ${extra}\`.` : 'Leave it out.';
}

/** Flags from their values; a flag of type boolean is on when it is there. */
export const createFlags = (values: ReadonlyMap<string, readonly string[]>): Flags => ({
  text: (name) => values.get(name)?.[0],
  texts: (name) => values.get(name) ?? [],
  isOn: (name) => values.has(name),
});

/** A flag that the command cannot do without. Throws `CLI.USAGE`. */
export function required(flags: Flags, name: string, example: string): string {
  const value = flags.text(name);
  if (value === undefined || value === '')
    throw usageError(`\`--${name}\` is missing.`, `Add \`--${name} ${example}\`.`);
  return value;
}

/** Flags whose numbers lie between 0 and 1. */
const SHARES: ReadonlySet<string> = new Set(['importance', 'confidence']);

/** A number flag. Throws `CLI.USAGE`. */
export function numberFlag(flags: Flags, name: string): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw usageError(
      `\`--${name}\` is \`${text}\`, not a number.`,
      `Write a number, for example \`--${name} ${SHARES.has(name) ? '0.8' : '20'}\`.`,
    );
  return value;
}

/** Leaves out what is undefined: optional properties are absent, never undefined. */
export function compact<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** A value as it is written on the command line. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
