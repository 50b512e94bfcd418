/**
 * The worker thread that owns PGlite: on the main thread a slow statement would stop the event loop
 * (measured: no tick at all). Started by `pglite-connection.ts` only, from its compiled file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { amcheck } from '@electric-sql/pglite/contrib/amcheck';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { vector } from '@electric-sql/pglite-pgvector';
import { toServerError } from '../server-error.ts';
import type { PgliteReply, PgliteRequest, PgliteStart } from './protocol.ts';

const LOG_LINES = 20;
/**
 * 1 MB segments instead of 16 MB: a new folder is 15 MB smaller, and PostgreSQL recycles them the
 * same way.
 */
const INITDB_OPTIONS = ['--wal-segsize=1'];

async function open(start: PgliteStart, log: string[]): Promise<PGlite> {
  if (
    start.dataDir !== null &&
    !start.mayInitialize &&
    !existsSync(join(start.dataDir, 'PG_VERSION'))
  ) {
    throw new Error('the folder holds no database');
  }
  const database = await PGlite.create({
    dataDir: start.dataDir ?? 'memory://',
    extensions: { vector, btree_gin, btree_gist, amcheck },
    relaxedDurability: false,
    ...(start.code && { pgliteWasmModule: start.code }),
    initDbStartParams: INITDB_OPTIONS,
    ...(start.image && {
      loadDataDir: new Blob([new Uint8Array(start.image)], { type: 'application/x-tar' }),
    }),
    onStderr: (line: string) => {
      log.push(line);
      if (log.length > LOG_LINES) log.shift();
      return false;
    },
  });
  // Text in, text out: the main thread encodes and decodes for both drivers alike.
  for (const oid of Object.keys(database.parsers)) database.parsers[oid] = (text: string) => text;
  for (const oid of Object.keys(database.serializers))
    database.serializers[oid] = (value: unknown) => String(value);
  return database;
}

async function perform(database: PGlite, request: PgliteRequest): Promise<PgliteReply> {
  const { id } = request;
  if (request.kind === 'close') {
    await database.close();
    return { kind: 'done', id };
  }
  if (request.kind === 'exec') {
    await database.exec(request.text);
    return { kind: 'done', id };
  }
  const result = await database.query<(string | null)[]>(request.text, [...request.params], {
    rowMode: 'array',
  });
  const columns = result.fields.map((field) => ({ name: field.name, oid: field.dataTypeID }));
  return { kind: 'rows', id, columns, rows: result.rows, command: result.command ?? '' };
}

async function answer(database: PGlite, request: PgliteRequest): Promise<PgliteReply> {
  try {
    return await perform(database, request);
  } catch (thrown) {
    const error = toServerError(thrown);
    const isAlive = error !== null && error.severity !== 'FATAL' && error.severity !== 'PANIC';
    if (isAlive) return { kind: 'refused', id: request.id, error };
    return {
      kind: 'broken',
      id: request.id,
      message: thrown instanceof Error ? thrown.message : String(thrown),
    };
  }
}

async function serve(port: MessagePort, start: PgliteStart): Promise<void> {
  const log: string[] = [];
  const send = (reply: PgliteReply): void => port.postMessage(reply);
  let database: PGlite;
  try {
    database = await open(start, log);
  } catch (thrown) {
    send({
      kind: 'failed',
      message: thrown instanceof Error ? thrown.message : String(thrown),
      log,
    });
    return;
  }
  // PGlite queues statements itself, in the order in which they were asked for.
  port.on('message', (request: PgliteRequest) => void answer(database, request).then(send));
  send({ kind: 'ready' });
}

if (parentPort) await serve(parentPort, workerData);
