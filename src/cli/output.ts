/** Data on stdout, in the two shapes every command has. */
import type { Call } from './command.ts';
import { jsonText } from './printable.ts';
import { type Column, formatTable } from './table.ts';

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

/** A remark on stderr, unless the output is for a program. */
export const remark = (call: Pick<Call, 'terminal' | 'isJson'>, text: string): void => {
  if (!call.isJson) call.terminal.err(`${text}\n`);
};
