/** A terminal whose streams are strings: the command line under test, without a process. */
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
}

export function memoryTerminal(options: MemoryTerminalOptions = {}): MemoryTerminal {
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
    out: async (text) => void out.push(text),
    err: (text) => void err.push(text),
    paintOut: (_, text) => text,
    paintErr: (_, text) => text,
    now: () => options.now ?? Date.UTC(2026, 10, 21),
    onInterrupt: () => () => undefined,
    output: () => out.join(''),
    errors: () => err.join(''),
  };
}
