/**
 * The main thread's side of the PGlite worker: starts it, numbers the calls, and says so when it
 * dies.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ContextEngineError, type ErrorCode, InternalError } from '../../../../src/codes/errors.ts';
import {
  type Decode,
  decoderOf,
  encodeParams,
  type SqlConnection,
  type SqlResult,
  toSqlError,
} from '../database.ts';
import type { SqlRow } from '../sql.ts';
import type { PgliteReply, PgliteRequest, PgliteStart } from './protocol.ts';

export interface PgliteConnection extends SqlConnection {
  /**
   * Shuts the database down cleanly and ends the worker; further calls are refused. Calling it
   * again does nothing.
   */
  close(): Promise<void>;
  /** Ends the worker at once: what was not acknowledged is not kept, as after a kill. */
  abandon(reason: ContextEngineError): Promise<void>;
}

/** The request without its number. */
type Call = PgliteRequest extends infer R
  ? R extends PgliteRequest
    ? Omit<R, 'id'>
    : never
  : never;
interface Waiting {
  readonly resolve: (reply: PgliteReply) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The worker's compiled file. A worker thread cannot load TypeScript on Node 20, so a run from
 * sources (tests) uses what the build left in `dist/`.
 */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(
    isSource ? '../../../../dist/connectors/pgvector/driver/pglite/worker.js' : './worker.js',
    import.meta.url,
  );
  if (!existsSync(file)) {
    throw new ContextEngineError('CONNECTOR.UNAVAILABLE', {
      message: `The embedded database's worker \`${fileURLToPath(file)}\` is not built`,
      fix: 'Run `npm run build`.',
    });
  }
  return file;
}

/** Node has it; its types come with the DOM's, which this project leaves out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
let compiled: Promise<object | null> | null = null;

/**
 * PGlite's code, compiled once a process: databases that share it also share what the JIT made of
 * it, so that a further one costs a third less. Null where PGlite keeps it elsewhere.
 */
function compiledCode(): Promise<object | null> {
  compiled ??= (async () => {
    const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
    const bytes = await readFile(new URL('./pglite.wasm', pathToFileURL(pglite)));
    return WebAssembly.compile(bytes);
  })().catch(() => null);
  return compiled;
}

function unavailable(message: string, cause?: unknown): ContextEngineError {
  const fix = 'Close the engine and create it again; everything acknowledged is on disk.';
  return new ContextEngineError('CONNECTOR.UNAVAILABLE', {
    message,
    fix,
    ...(cause !== undefined && { cause }),
  });
}

function openFailure(
  start: PgliteStart,
  reply: { message: string; log: readonly string[] },
): ContextEngineError {
  const code: ErrorCode = start.dataDir === null ? 'CONNECTOR.UNAVAILABLE' : 'CONNECTOR.CORRUPT';
  const last = reply.log.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? reply.message;
  return new ContextEngineError(code, {
    message:
      `The embedded database in \`${start.dataDir ?? 'memory'}\` does not open: ` +
      `\`${last.trim()}\``,
    fix:
      'Restore the folder from a copy, or move it away: a new one is made on the next start, and ' +
      '`contextengine import` fills it from an export.',
    meta: { log: reply.log },
  });
}

/** Decodes the worker's rows of text into objects. */
function toRows(reply: Extract<PgliteReply, { kind: 'rows' }>): readonly SqlRow[] {
  const columns: readonly { name: string; decode: Decode }[] = reply.columns.map(
    ({ name, oid }) => ({ name, decode: decoderOf(oid) }),
  );
  return reply.rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      const text = values[index] ?? null;
      row[column.name] = text === null ? null : column.decode(text);
    }
    return row;
  });
}

/**
 * The calls under way. The worker holds the process only while there are some, so that a program
 * which forgets to close still ends. Invariant: once `failure` is set, nothing waits (test:
 * integration/driver).
 */
function createCalls(worker: Worker) {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let failure: ContextEngineError | null = null;

  const settle = (id: number): Waiting | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return call;
  };
  const fail = (reason: ContextEngineError): void => {
    failure ??= reason;
    for (const id of [...waiting.keys()]) settle(id)?.reject(failure);
  };
  const onReply = (reply: PgliteReply): void => {
    if (reply.kind === 'ready' || reply.kind === 'failed') return;
    if (reply.kind === 'broken') {
      fail(unavailable(`The embedded database stopped: \`${reply.message}\``));
      void worker.terminate();
      return;
    }
    const call = settle(reply.id);
    if (reply.kind === 'refused') call?.reject(toSqlError(reply.error));
    else call?.resolve(reply);
  };
  const send = (call: Call): Promise<PgliteReply> => {
    if (failure) return Promise.reject(failure);
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...call, id });
    });
  };
  worker.on('message', onReply);
  worker.on('error', (error) =>
    fail(unavailable(`The embedded database's worker failed: \`${error.message}\``, error)),
  );
  worker.on('exit', (code) =>
    fail(unavailable(`The embedded database's worker ended with code \`${code}\``)),
  );
  return { send, fail };
}

function untilReady(worker: Worker, start: PgliteStart): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopListening = (): void => {
      worker.off('error', onError);
      worker.off('exit', onExit);
      worker.off('message', onMessage);
    };
    const refuse = (message: string, log: readonly string[] = []): void => {
      stopListening();
      void worker.terminate().then(() => reject(openFailure(start, { message, log })));
    };
    const onError = (error: Error): void => refuse(error.message);
    const onExit = (code: number): void => refuse(`its worker ended with code ${code}`);
    const onMessage = (reply: PgliteReply): void => {
      if (reply.kind === 'failed') refuse(reply.message, reply.log);
      else {
        stopListening();
        resolve();
      }
    };
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.on('message', onMessage);
  });
}

/**
 * Starts a worker on a folder (or in memory). Throws `CONNECTOR.CORRUPT` when the folder does not
 * open as a database.
 */
export async function startPglite(start: PgliteStart): Promise<PgliteConnection> {
  const file = workerFile();
  const code = await compiledCode();
  // No inherited flags: a test runner's loaders are none of the worker's business.
  const worker = new Worker(file, {
    workerData: { ...start, ...(code && { code }) } satisfies PgliteStart,
    execArgv: [],
    name: 'contextengine-pglite',
  });
  // An `error` that nobody listens to would end the process. Each phase has a listener of its own;
  // this one is for between.
  worker.on('error', () => undefined);
  await untilReady(worker, start);
  const calls = createCalls(worker);
  worker.unref();

  const expectDone = async (call: Call): Promise<void> => {
    await calls.send(call);
  };
  let closing: Promise<void> | null = null;
  const shutDown = async (): Promise<void> => {
    try {
      await expectDone({ kind: 'close' });
    } finally {
      calls.fail(
        new ContextEngineError('CONNECTOR.CLOSED', {
          message: 'The embedded database was closed',
          fix: 'Create a new engine.',
        }),
      );
      await worker.terminate();
    }
  };
  return {
    async run(text, params): Promise<SqlResult> {
      const reply = await calls.send({ kind: 'run', text, params: encodeParams(params) });
      if (reply.kind !== 'rows')
        throw new InternalError(`a statement was answered with \`${reply.kind}\``);
      return { rows: toRows(reply), command: reply.command };
    },
    exec: (text) => expectDone({ kind: 'exec', text }),
    close: () => {
      closing ??= shutDown();
      return closing;
    },
    async abandon(reason) {
      calls.fail(reason);
      await worker.terminate();
    },
  };
}
