/** Data on stdout, in the two shapes every command has. */
import type { Call } from './command.ts';
import { jsonText } from './printable.ts';

/** One JSON value and a line end: indented where a person looks, else on one line. */
export const printJson = (call: Pick<Call, 'terminal'>, value: unknown): Promise<void> =>
  call.terminal.out(`${jsonText(value, call.terminal.isOutTty ? 2 : undefined)}\n`);

/** A text, with a line end if it has none. */
export const printText = (call: Pick<Call, 'terminal'>, text: string): Promise<void> =>
  call.terminal.out(text.endsWith('\n') || text === '' ? text : `${text}\n`);

/** A remark on stderr, unless the output is for a program. */
export const remark = (call: Pick<Call, 'terminal' | 'isJson'>, text: string): void => {
  if (!call.isJson) call.terminal.err(`${text}\n`);
};
