/** The only maker of node-postgres clients: every session, pooled or single, comes from here. */
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import { throwIfAborted } from '../../refusals.ts';

/**
 * How long the statement of a caller who has gone may still run before its session is destroyed, in
 * milliseconds. Destroyed at once, each missed deadline would cost a new session (a fork of the
 * server, some 10 ms) on the overloaded server that caused it; never destroyed, a server that
 * accepts and does not answer would hold the pool.
 */
const ABANDONED_MS = 5_000;

/**
 * A client whose loss is reported by its statements alone.
 *
 * Node ends the process on an `error` event that nobody listens to. node-postgres emits one
 * whenever the server ends a session or the socket breaks, and its pool listens only while the
 * client is idle, so a client must listen to itself from its first moment to its last. Invariant:
 * no other file imports a class of `pg` (test/integration/connection-loss.test.ts).
 */
class ListeningClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    // The statement under way is rejected with the same error; an idle session is replaced by the
    // pool.
    this.on('error', () => undefined);
  }
}

/** Connects one client. Rejects with what node-postgres throws. */
export async function openClient(config: ClientConfig): Promise<Client> {
  const client = new ListeningClient(config);
  await client.connect();
  return client;
}

export function createPool(config: PoolConfig): Pool {
  const pool = new Pool({ ...config, Client: ListeningClient });
  // The pool drops an idle session that the server ended, and reports it; the next statement gets a
  // new one.
  pool.on('error', () => undefined);
  return pool;
}

/** A session of the pool; a caller who gives up while waiting gives it back when it comes. */
export async function borrowClient(
  pool: Pool,
  signal: AbortSignal | undefined,
): Promise<PoolClient> {
  throwIfAborted(signal);
  const coming = pool.connect();
  if (!signal) return coming;
  let stop = (): void => undefined;
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    signal.addEventListener('abort', stop, { once: true });
  });
  const client = await Promise.race([coming, aborted]).finally(() =>
    signal.removeEventListener('abort', stop),
  );
  if (client && !signal.aborted) return client;
  coming.then(
    (late) => late.release(),
    () => undefined,
  );
  throwIfAborted(signal);
  return coming;
}

/**
 * Runs `job` on the client; if its caller gives up, the session is destroyed {@link ABANDONED_MS}
 * later.
 */
export async function withPatience<T>(
  client: PoolClient,
  signal: AbortSignal | undefined,
  job: () => Promise<T>,
): Promise<T> {
  if (!signal) return job();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    // `end` destroys the socket of a client whose statement is under way; the pool then drops the
    // client.
    timer = setTimeout(() => void (client as PoolClient & Client).end(), ABANDONED_MS);
    timer.unref();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await job();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
