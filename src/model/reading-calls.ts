/**
 * What another process of the same user may ask the holder of an embedded folder for: the calls of
 * commands that read. One connection carries one question, as a line of JSON; the answer is lines
 * of JSON.
 */
import { join } from 'node:path';

/** In the data folder; only its owner may enter it. */
const READERS_FOLDER = 'readers';
/** The shortest `sun_path` of the systems we run on is 104 bytes with its end. */
const MAX_SOCKET_PATH_BYTES = 103;

export interface ReadersPlace {
  readonly folder: string;
  readonly socket: string;
  /** What a caller must have read to be answered. */
  readonly key: string;
  /** A path that is longer cannot be listened on. */
  readonly isTooLong: boolean;
}

export function readersPlace(dataDir: string): ReadersPlace {
  const folder = join(dataDir, READERS_FOLDER);
  const socket = join(folder, 'socket');
  const isTooLong = Buffer.byteLength(socket) > MAX_SOCKET_PATH_BYTES;
  return { folder, socket, key: join(folder, 'key'), isTooLong };
}

/** Nothing else is answered. A composition leaves its receipt, as it does for its own process. */
export const READING_CALLS: ReadonlySet<string> = new Set([
  ...['composeBlockContext', 'explain', 'replay', 'preview', 'history', 'health', 'exportScope'],
  'documents',
  ...['scopes.find', 'scopes.list', 'core.show', 'profile.get', 'costs.list', 'costs.prices'],
  ...['costs.embeddings', 'captures.list', 'captures.progress', 'jobs.list'],
  ...['facts.list', 'facts.get', 'facts.search', 'facts.history'],
  ...['approvals.list', 'approvals.show', 'approvals.message', 'principals.list'],
  ...['audit.list', 'audit.verify', 'erasure.list', 'erasure.certificate', 'erasure.check'],
  'mounts.health',
]);

/** The forms that a composition is given in, so that its reader can choose. */
export const READ_MESSAGE_FORMATS = ['openai', 'anthropic', 'ai-sdk'] as const;

export interface ReadingQuestion {
  readonly key: string;
  readonly version: string;
  /** Who asks: judged by the holder like any claim. */
  readonly profile: unknown;
  readonly call: string;
  readonly args: readonly unknown[];
}

/** `line`: one of many, which `end` ends. */
export type ReadingAnswer =
  | { readonly value: unknown }
  | { readonly line: unknown }
  | { readonly end: true }
  | { readonly error: ReadingFailure };

export interface ReadingFailure {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  readonly where: object | null;
  readonly meta: object;
}
