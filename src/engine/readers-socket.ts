/**
 * While an engine holds an embedded folder, commands of the same user that read are answered
 * through a Unix socket in it. Folder 0700, socket and key 0600: the system lets no other user
 * connect, and without the key nothing is answered. Each question is judged for the profile that it
 * claims, by the `authority` of the engine too; never for the profile of the application.
 */
import { timingSafeEqual } from 'node:crypto';
import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { ContextEngineError } from '../codes/errors.ts';
import type { Composition } from '../model/composition.ts';
import { shown } from '../model/ids.ts';
import type { PermissionProfile } from '../model/permission.ts';
import {
  READ_MESSAGE_FORMATS,
  READING_CALLS,
  type ReadersPlace,
  type ReadingAnswer,
  type ReadingQuestion,
  readersPlace,
} from '../model/reading-calls.ts';
import type { BoundEngine, ContextEngine, DatabaseOptions } from './context-engine.ts';

/** A question of a command has some hundred bytes; a query may have 10,000 characters. */
const MAX_QUESTION_CHARS = 1_000_000;
/** A connection that asks nothing is ended. */
const QUESTION_MS = 10_000;
/** So is one that reads nothing of its answer for so long. */
const READING_MS = 30_000;
const MAX_CONNECTIONS = 16;

export interface Readers {
  /** Never throws: a folder that cannot be listened in is held as before. */
  listen(engine: Pick<ContextEngine, 'as'>): Promise<void>;
  close(): Promise<void>;
}

const NO_READERS: Readers = { listen: async () => undefined, close: async () => undefined };

/** Under the lock of the folder: what stands there is of a holder that died. */
export function createReaders(
  database: DatabaseOptions,
  { version, key }: Pick<Serving, 'version' | 'key'>,
): Readers {
  if (!('dataDir' in database) || process.platform === 'win32') return NO_READERS;
  const place = readersPlace(database.dataDir);
  if (place.isTooLong) return NO_READERS;
  const open = new Set<Socket>();
  let server: Server | null = null;
  return {
    async listen(engine) {
      if (!(await makeOwn(place, key).catch(() => false))) return;
      const made = createServer({ allowHalfOpen: true }, (socket) => {
        open.add(socket);
        socket.on('close', () => open.delete(socket));
        serve(socket, { engine, key, version });
      });
      made.maxConnections = MAX_CONNECTIONS;
      made.unref();
      const isListening = await new Promise<boolean>((resolve) => {
        made.once('error', () => resolve(false));
        made.listen(place.socket, () => resolve(true));
      });
      made.on('error', () => undefined);
      if (!isListening) return;
      server = made;
      await chmod(place.socket, 0o600).catch(() => undefined);
    },
    async close() {
      for (const socket of open) socket.destroy();
      const listening = server;
      server = null;
      if (listening === null) return;
      await new Promise<void>((resolve) => listening.close(() => resolve()));
      await rm(place.folder, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

/** Whether the folder is ours alone, and empty but for the key. */
async function makeOwn({ folder, socket, key: file }: ReadersPlace, key: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
  await chmod(folder, 0o700);
  await rm(socket, { force: true });
  await rm(file, { force: true });
  await writeFile(file, key, { mode: 0o600, flag: 'wx' });
  return true;
}

interface Serving {
  readonly engine: Pick<ContextEngine, 'as'>;
  readonly key: string;
  readonly version: string;
}

function serve(socket: Socket, serving: Serving): void {
  let text = '';
  let isAsked = false;
  socket.unref();
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  const waiting = setTimeout(() => socket.destroy(), QUESTION_MS);
  waiting.unref();
  socket.on('close', () => clearTimeout(waiting));
  socket.on('end', () => {
    if (!isAsked) socket.destroy();
  });
  socket.on('data', (chunk: string) => {
    if (isAsked) return;
    text += chunk;
    if (text.length > MAX_QUESTION_CHARS) socket.destroy();
    const end = text.indexOf('\n');
    if (end < 0) return;
    isAsked = true;
    clearTimeout(waiting);
    void answerAll(socket, text.slice(0, end), serving);
  });
}

async function answerAll(socket: Socket, text: string, serving: Serving): Promise<void> {
  const say = (answer: ReadingAnswer): Promise<void> =>
    new Promise((resolve, reject) => {
      const unread = setTimeout(() => socket.destroy(), READING_MS);
      unread.unref();
      socket.write(`${JSON.stringify(answer)}\n`, (error) => {
        clearTimeout(unread);
        if (error) reject(error);
        else resolve();
      });
    });
  try {
    const question = checkQuestion(text, serving);
    if (question === null) return;
    const bound = serving.engine.as(question.profile);
    if (question.call === 'exportScope') {
      const [scope] = question.args;
      for await (const line of bound.exportScope(scope as string)) await say({ line });
      await say({ end: true });
    } else await say({ value: await answerOf(bound, question) });
  } catch (error) {
    await say({ error: failureOf(error) }).catch(() => undefined);
  } finally {
    socket.end();
  }
}

type Checked = Omit<ReadingQuestion, 'profile'> & { readonly profile: PermissionProfile };

/** null = who asks has not read the key, and hears nothing. */
function checkQuestion(text: string, { key, version }: Serving): Checked | null {
  const question = toQuestion(text);
  if (!isKey(question.key, key)) return null;
  const { call, args, profile } = question;
  if (question.version !== version)
    throw new ContextEngineError('CONNECTOR.LOCKED', {
      message:
        `The folder is held by contextengine \`${version}\`, and \`${shown(question.version)}\` ` +
        'asks.',
      fix: 'Run the command of the same version.',
    });
  if (typeof call !== 'string' || !READING_CALLS.has(call) || !Array.isArray(args))
    throw new ContextEngineError('CONNECTOR.LOCKED', {
      message: `The holder of the folder does not answer \`${shown(call)}\`.`,
      fix: 'Close it there first: beside it commands only read.',
    });
  // What is no profile is refused by `as`, which judges it like any claim.
  return { key, version, call, args, profile: profile as PermissionProfile };
}

type AnyQuestion = Partial<Record<keyof ReadingQuestion, unknown>>;

function toQuestion(text: string): AnyQuestion {
  try {
    const asked: unknown = JSON.parse(text);
    return typeof asked === 'object' && asked !== null ? asked : {};
  } catch {
    return {};
  }
}

function isKey(given: unknown, key: string): boolean {
  if (typeof given !== 'string') return false;
  const [asked, known] = [Buffer.from(given), Buffer.from(key)];
  return asked.length === known.length && timingSafeEqual(asked, known);
}

async function answerOf(bound: BoundEngine, { call, args }: Checked): Promise<unknown> {
  if (call === 'profile.get') {
    const [scope, subject] = args;
    return bound.profile(scope as string, subject as string).get();
  }
  const [first = '', second] = call.split('.');
  const member: unknown = Reflect.get(bound, first);
  const method = second === undefined ? member : Reflect.get(Object(member), second);
  if (typeof method !== 'function') return null;
  const answer: unknown = await Reflect.apply(method, undefined, args);
  return call === 'composeBlockContext' ? withMessages(answer as Composition) : answer;
}

/** A composition gives its messages by a method, which a line of JSON does not carry. */
const withMessages = (composition: Composition): unknown => ({
  ...composition,
  messages: Object.fromEntries(
    READ_MESSAGE_FORMATS.map((format) => [format, composition.messages(format)]),
  ),
});

const failureOf = (error: unknown) => {
  if (error instanceof ContextEngineError) {
    const { code, message, fix, where, meta } = error;
    return { code, message, fix, where: where ?? null, meta };
  }
  return { code: '', message: String(error), fix: '', where: null, meta: {} };
};
