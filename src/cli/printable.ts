/**
 * What may reach a terminal: text, line feeds, tabs and our own colours. Titles, names, paths and
 * messages come from others; a control character in them would drive the terminal or the log.
 *
 * Invariant: every byte that the command line writes has been through {@link createPrinter}
 * (test/attack/terminal.test.ts runs every command).
 */
import { randomBytes } from 'node:crypto';
import { styleText } from 'node:util';

export type StyleName = Parameters<typeof styleText>[0];

/**
 * C0 but tab and line feed, DEL, C1, line and paragraph separators, and what turns the order of a
 * line round.
 */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Control Pictures for what has one: `␛` for an escape. */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}

/** A text whose control characters are shown instead of sent. Lines stay lines. */
export const printable = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(CONTROL, picture);

/** The same on one line. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' ')).trim();

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** JSON whose value is the same and that holds no control character. */
export const jsonText = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(CONTROL, escaped);

const escaped = (control: string): string =>
  ESCAPES[control] ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;

export interface Printer {
  /**
   * Marks a text with a colour; only {@link Printer.clean} of the same printer makes escapes of it.
   */
  paint(style: StyleName, text: string): string;
  /** What is sent for a text. */
  clean(text: string): string;
}

/**
 * Colours travel as marks that nobody else can write, because they hold a number drawn for this
 * process: text from elsewhere cannot pass off its escapes as ours.
 */
export function createPrinter(): Printer {
  const mark = `\ufdd0${randomBytes(8).toString('hex')}\ufdd1`;
  return {
    paint: (style, text) =>
      styleText(style, printable(text), { validateStream: false }).replaceAll('\u001b', mark),
    clean: (text) => printable(text).replaceAll(mark, '\u001b'),
  };
}
