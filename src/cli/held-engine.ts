/**
 * The engine of a folder that another process holds, for commands that read: each call goes to the
 * holder through its socket. What is asked is judged there, for the profile of the command.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type ContextEngine, ContextEngineError, ERROR_CODES, type ErrorCode } from '../index.ts';
import { loadManifests } from '../manifest/load.ts';
import {
  READING_CALLS,
  type ReadersPlace,
  type ReadingAnswer,
  type ReadingFailure,
  readersPlace,
} from '../model/reading-calls.ts';
import { parseJsonText } from '../text/json-text.ts';
import { packageVersion } from './package-root.ts';

export interface HeldFolder {
  readonly dataDir: string;
  readonly manifests: readonly string[];
  readonly profile: unknown;
  /** Why the folder was not opened. */
  readonly locked: ContextEngineError;
}

/** Of a form of their own. */
const SPECIAL = ['profile.get', 'exportScope'];

type Asking = (call: string, args: readonly unknown[]) => AsyncGenerator<unknown>;

/** Throws `CONNECTOR.LOCKED`, with why it is not answered, where the holder cannot be asked. */
export function heldEngine(folder: HeldFolder): ContextEngine {
  const asking = askingOf(folder);
  const callOf =
    (call: string) =>
    async (...args: readonly unknown[]) => {
      for await (const value of asking(call, withoutProfile(args)))
        return call === 'composeBlockContext' ? withMessages(value) : value;
    };
  const members = [...READING_CALLS].filter((call) => !SPECIAL.includes(call));
  const reading: Record<string, unknown> = Object.create(null);
  reading['exportScope'] = (scope: unknown) => asking('exportScope', [scope]);
  for (const call of members) {
    const [first = '', second] = call.split('.');
    if (second === undefined) reading[first] = callOf(call);
    else reading[first] = { ...Object(reading[first]), [second]: callOf(call) };
  }
  const refuse = refusing(folder.locked);
  // `then`: nothing of it is a promise.
  const others: ProxyHandler<object> = {
    get: (of, name) =>
      Reflect.get(of, name) ?? (typeof name === 'symbol' || name === 'then' ? undefined : refuse),
  };
  const namespaces = Object.entries(reading).map(([name, member]) => [
    name,
    typeof member === 'function' ? member : new Proxy(Object(member), others),
  ]);
  const get = callOf('profile.get');
  const engine: object = {
    ...Object.fromEntries(namespaces),
    manifests: loadManifests({ paths: folder.manifests }),
    profile: (scope: string, subject: string) => ({
      get: () => get(scope, subject),
      set: refuse,
    }),
    close: async () => undefined,
  };
  // Each member is that of the engine, or refuses.
  return new Proxy(engine, others) as ContextEngine;
}

/** What is not answered, whatever of the engine it stands for: a method, or a namespace of some. */
function refusing(locked: ContextEngineError): object {
  const refuse = async (): Promise<never> => {
    throw notAnswered(locked, 'beside it commands only read');
  };
  const self: object = new Proxy(refuse, {
    get: (_of, name) => (typeof name === 'symbol' || name === 'then' ? undefined : self),
  });
  return self;
}

/** The holder is told whose question it is, once. */
const withoutProfile = (args: readonly unknown[]): readonly unknown[] =>
  args.map((arg) => {
    if (typeof arg !== 'object' || arg === null || !('permission_profile' in arg)) return arg;
    const { permission_profile: _own, ...rest } = arg;
    return rest;
  });

const withMessages = (value: unknown): unknown => {
  const { messages, ...composition } = Object(value);
  return { ...composition, messages: (format: string) => messages[format] };
};

function askingOf({ dataDir, profile, locked }: HeldFolder): Asking {
  if (process.platform === 'win32')
    throw notAnswered(locked, 'on Windows nobody else can be answered');
  const place = readersPlace(dataDir);
  if (place.isTooLong)
    throw notAnswered(locked, 'its path is too long for a socket that others could ask through');
  const key = readKey(place, locked);
  const version = packageVersion();
  return async function* ask(call, args) {
    const socket = connect(place.socket);
    const lines = createInterface({ input: socket, crlfDelay: Infinity });
    let isAnswered = false;
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', (cause) => reject(notAnswered(locked, 'it does not answer', cause)));
        socket.once('connect', resolve);
      });
      socket.write(`${JSON.stringify({ key, version, profile, call, args })}\n`);
      for await (const line of lines) {
        // The holder's code wrote it, of the same version.
        const answer = parseJsonText(line, {
          file: 'answer',
          code: 'CONNECTOR.LOCKED',
        }) as ReadingAnswer;
        isAnswered = true;
        if ('error' in answer) throw failureOf(answer.error, locked);
        if ('end' in answer) return;
        yield 'value' in answer ? answer.value : answer.line;
        if ('value' in answer) return;
      }
      if (!isAnswered) throw notAnswered(locked, 'it ended without an answer');
    } finally {
      lines.close();
      socket.destroy();
    }
  };
}

/** Of a folder that is ours alone: what stood in another's could be anybody's. */
function readKey({ folder, key }: ReadersPlace, locked: ContextEngineError): string {
  try {
    const { uid } = lstatSync(folder);
    if (uid !== process.getuid?.())
      throw notAnswered(locked, 'another user of this machine holds it');
    return readFileSync(key, 'utf8');
  } catch (cause) {
    if (cause instanceof ContextEngineError) throw cause;
    const { code } = cause as NodeJS.ErrnoException; // a file system throws nothing else
    throw notAnswered(
      locked,
      code === 'EACCES' || code === 'EPERM'
        ? 'another user of this machine holds it'
        : 'it answers nobody: it listens on no socket in the folder',
      cause,
    );
  }
}

const notAnswered = (
  locked: ContextEngineError,
  why: string,
  cause?: unknown,
): ContextEngineError =>
  new ContextEngineError('CONNECTOR.LOCKED', {
    message: `${locked.message}, and ${why}.`,
    fix: locked.fix,
    ...(locked.where && { where: locked.where }),
    ...(cause !== undefined && { cause }),
  });

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CODES, code);

function failureOf(
  { code, message, fix, where, meta }: ReadingFailure,
  locked: ContextEngineError,
): ContextEngineError {
  if (!isKnown(code)) return notAnswered(locked, `it failed: ${message}`);
  return new ContextEngineError(code, {
    message,
    fix,
    ...(where && { where }),
    meta: { ...meta },
  });
}
