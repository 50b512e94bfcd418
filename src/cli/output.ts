/** Data on stdout, in the two shapes every command has. */
import type { Call } from './command.ts';
import { jsonText, oneLine, type StyleName } from './printable.ts';
import { type Column, formatTable, wrap } from './table.ts';
import type { Terminal } from './terminal.ts';

/** One JSON value and a line end: indented where a person looks, else on one line. */
export const printJson = (call: Pick<Call, 'terminal'>, value: unknown): Promise<void> =>
  call.terminal.out(`${jsonText(value, call.terminal.isOutTty ? 2 : undefined)}\n`);

/** A text, with a line end if it has none. */
export const printText = (call: Pick<Call, 'terminal'>, text: string): Promise<void> =>
  call.terminal.out(text.endsWith('\n') || text === '' ? text : `${text}\n`);

/** A table for people; whole texts where a program reads, so that `| grep` finds them. */
export const tableText = (
  { terminal }: Pick<Call, 'terminal'>,
  layout: readonly Column[],
  rows: readonly (readonly string[])[],
): string =>
  formatTable(layout, rows, {
    columns: terminal.isOutTty ? terminal.columns : Number.POSITIVE_INFINITY,
    paint: (text) => terminal.paintOut('bold', text),
  });

export const printTable = (
  call: Pick<Call, 'terminal'>,
  layout: readonly Column[],
  rows: readonly (readonly string[])[],
): Promise<void> => printText(call, tableText(call, layout, rows));

/** A remark on stderr, unless the output is for a program; wrapped where somebody looks. */
export const remark = (
  { terminal, isJson }: Pick<Call, 'terminal' | 'isJson'>,
  text: string,
  style?: StyleName,
): void => {
  if (isJson) return;
  const lines = text.split('\n').map((line) => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    return terminal.isErrTty ? wrap(line.trimStart(), terminal.columns, indent) : line;
  });
  const whole = lines.join('\n');
  terminal.err(`${style === undefined ? whole : terminal.paintErr(style, whole)}\n`);
};

const LABEL_WIDTH = 10;

/**
 * `warning`, `degraded` on stderr with what happened, and its code: one line for a program, wrapped
 * under its own beginning where somebody looks.
 */
export function notice(
  terminal: Terminal,
  { label, text, code }: { readonly label: string; readonly text: string; readonly code?: string },
): void {
  const line = `${oneLine(text)}${code === undefined ? '' : `  ${code}`}`;
  const shown = terminal.isErrTty
    ? wrap(line, terminal.columns, ' '.repeat(LABEL_WIDTH)).trimStart()
    : line;
  const end = code !== undefined && shown.endsWith(code) ? code : '';
  const dim = end === '' ? '' : terminal.paintErr('dim', end);
  terminal.err(
    `${terminal.paintErr('yellow', label)}${' '.repeat(LABEL_WIDTH - label.length)}` +
      `${shown.slice(0, shown.length - end.length)}${dim}\n`,
  );
}
