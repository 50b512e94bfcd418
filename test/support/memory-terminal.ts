/** A terminal whose streams are strings: the command line under test, without a process. */
import { createPrinter } from '../../src/cli/printable.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

export interface MemoryTerminal extends Terminal {
  readonly output: () => string;
  readonly errors: () => string;
}

export interface MemoryTerminalOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly now?: number;
  /** Default: no colours. */
  readonly hasColours?: boolean;
}

export function memoryTerminal(options: MemoryTerminalOptions = {}): MemoryTerminal {
  const printer = createPrinter();
  const paint: Terminal['paintOut'] = (style, text) =>
    options.hasColours ? printer.paint(style, text) : text;
  const out: string[] = [];
  const err: string[] = [];
  async function* stdin(): AsyncGenerator<Uint8Array | string> {
    if (options.stdin !== undefined) yield options.stdin;
  }
  return {
    env: options.env ?? {},
    cwd: options.cwd ?? '/nowhere',
    columns: 100,
    isOutTty: false,
    isErrTty: false,
    stdin: stdin(),
    out: async (text) => void out.push(printer.clean(text)),
    err: (text) => void err.push(printer.clean(text)),
    overwrite: (text) => void err.push(`\r\u001b[K${printer.clean(text)}`),
    paintOut: paint,
    paintErr: paint,
    now: () => options.now ?? Date.UTC(2026, 10, 21),
    onInterrupt: () => () => undefined,
    output: () => out.join(''),
    errors: () => err.join(''),
  };
}
