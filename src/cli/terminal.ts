/**
 * The outside of a command as one value: streams, environment, folder, clock. Commands touch
 * nothing else.
 */
import { createPrinter, oneLine, type StyleName } from './printable.ts';

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder, absolute. */
  readonly cwd: string;
  /** Columns to write for; 100 where nobody looks. */
  readonly columns: number;
  readonly isOutTty: boolean;
  readonly isErrTty: boolean;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /**
   * Data. What is not ours in it loses its control characters. Resolves once the system has taken
   * it, so that what was acknowledged has been seen.
   */
  out(text: string): Promise<void>;
  /** Everything that is not data. */
  err(text: string): void;
  /** Writes over the line of stderr that was written over last; an empty text takes it away. */
  overwrite(text: string): void;
  /** Colours for stdout and stderr; the text itself where colour is off. */
  paintOut(style: StyleName, text: string): string;
  paintErr(style: StyleName, text: string): string;
  /** Epoch milliseconds. */
  now(): number;
  /** Runs before the process gives way to SIGINT or SIGTERM; returns how to take it back. */
  onInterrupt(listener: () => Promise<void>): () => void;
}

const NARROWEST = 60;
const WIDEST = 140;
const UNSEEN_COLUMNS = 100;
/** How long an interrupted command may take to close its database before it is ended anyway. */
const INTERRUPT_GRACE_MS = 5000;

/**
 * Whether to colour: FORCE_COLOR, then NO_COLOR, CI and dumb terminals against it, then whether
 * somebody looks.
 */
export function wantsColour(env: Terminal['env'], isTty: boolean): boolean {
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0') return true;
  if (env['NO_COLOR'] || env['CI'] || env['TERM'] === 'dumb') return false;
  return isTty;
}

/** To the first column, and nothing behind it. */
const START_OF_EMPTY_LINE = '\r\u001b[K';

/** The terminal of this process. A reader that goes away (`| head`) ends the process quietly. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      if (isBrokenPipe(error)) process.exit(0);
      throw error;
    });
  }
  const interrupt = { isOn: false };
  const printer = createPrinter();
  const isOutTty = stdout.isTTY === true;
  const isErrTty = stderr.isTTY === true;
  const hasOutColour = wantsColour(process.env, isOutTty);
  const hasErrColour = wantsColour(process.env, isErrTty);
  const seen =
    (isOutTty ? stdout.columns : undefined) ??
    (isErrTty ? stderr.columns : undefined) ??
    UNSEEN_COLUMNS;
  return {
    env: process.env,
    cwd: process.cwd(),
    columns: Math.min(WIDEST, Math.max(NARROWEST, seen)),
    isOutTty,
    isErrTty,
    stdin: process.stdin,
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(printer.clean(text), (error) => {
          if (!error) resolve();
          else if (!isBrokenPipe(error)) reject(error);
        });
      }),
    // what the closing database makes fail after an interrupt is no news
    err: (text) => void (interrupt.isOn || stderr.write(printer.clean(text))),
    overwrite: (text) =>
      void (interrupt.isOn || stderr.write(`${START_OF_EMPTY_LINE}${printer.clean(text)}`)),
    paintOut: (style, text) => (hasOutColour ? printer.paint(style, text) : text),
    paintErr: (style, text) => (hasErrColour ? printer.paint(style, text) : text),
    now: () => Date.now(),
    onInterrupt: (listener) => onInterrupt(listener, interrupt),
  };
}

/**
 * Never an error of ours: the listener above ends the process, so the write that met it just does
 * not return.
 */
const isBrokenPipe = (error: Error): boolean => 'code' in error && error.code === 'EPIPE';

function onInterrupt(listener: () => Promise<void>, interrupt: { isOn: boolean }): () => void {
  const handle = (signal: NodeJS.Signals): void => {
    interrupt.isOn = true;
    const code = signal === 'SIGINT' ? 130 : 143;
    setTimeout(() => process.exit(code), INTERRUPT_GRACE_MS).unref();
    listener().finally(() => process.exit(code));
  };
  process.once('SIGINT', handle);
  process.once('SIGTERM', handle);
  return () => {
    process.removeListener('SIGINT', handle);
    process.removeListener('SIGTERM', handle);
  };
}

/**
 * A line on stderr that is written over; silent where stderr is not a terminal, in CI, and with
 * `--json`.
 */
export interface Progress {
  update(text: string): void;
  /** Takes the line away. */
  end(): void;
}

const REDRAW_MS = 80;

export function createProgress(terminal: Terminal, isQuiet: boolean): Progress {
  if (isQuiet || !terminal.isErrTty || terminal.env['CI'] || terminal.env['TERM'] === 'dumb')
    return { update: () => undefined, end: () => undefined };
  let lastDraw = 0;
  let isDrawn = false;
  return {
    update(text) {
      const now = terminal.now();
      if (now - lastDraw < REDRAW_MS) return;
      lastDraw = now;
      isDrawn = true;
      terminal.overwrite(terminal.paintErr('dim', oneLine(text).slice(0, terminal.columns - 1)));
    },
    end() {
      if (isDrawn) terminal.overwrite('');
      isDrawn = false;
    },
  };
}
