/**
 * What the loss of a session, or of the server behind it, may do: fail what was in flight, with a
 * code. Never more.
 */
import type { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPglitePair } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import { openPostgres } from '../../connectors/pgvector/driver/postgres/postgres.ts';
import type { SqlSession } from '../../connectors/pgvector/driver/sql.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import type { Operation } from '../../src/model/operation.ts';
import { describeOnServer, type TestDatabase } from '../support/databases.ts';
import { day, factContent, id, makeScope, tenantNamed, WRITER } from '../support/ledger.ts';
import { codeFiles } from '../support/source-files.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

const TENANT = tenantNamed('loss');
const SCOPE = id(1, 1);
const LOST = { code: 'CONNECTOR.UNAVAILABLE', retryable: true };
const IN_DOUBT = {
  code: 'WRITE.COMMIT_UNKNOWN',
  retryable: true,
  fix: expect.stringContaining('idempotency keys'),
};

const pidOf = async (session: SqlSession): Promise<number> =>
  Number((await session.query('select pg_backend_pid() as pid'))[0]?.['pid']);
const keyed = (n: number): Operation => ({
  operation: 'ADD',
  table: 'memory_open_set',
  scope: SCOPE,
  uuid: id(2, n),
  valid_from: day(0),
  content: factContent(`fact ${n}`),
  idempotency_key: `fact ${n}`,
});
const request = (...operations: readonly Operation[]) => ({
  tenant: TENANT,
  writer: WRITER,
  recorded_at: day(1),
  operations,
});

it('clients of `pg` are made in one file, where each listens to its own loss', () => {
  const importing = codeFiles(['connectors', 'src']).filter(({ text }) =>
    /^import (?!type\b)[^;]*from 'pg';/m.test(text),
  );
  expect(importing.map(({ path }) => path)).toEqual([
    'connectors/pgvector/driver/postgres/clients.ts',
  ]);
});

describeOnServer('a session that the server ends', (open) => {
  let opened: TestDatabase & { readonly url: string };
  const kill = async (pid: number): Promise<void> => {
    await opened.owner.query('select pg_terminate_backend($1)', [pid]);
    const isThere = async () =>
      (await opened.owner.query('select 1 from pg_stat_activity where pid = $1', [pid])).length > 0;
    while (await isThere());
  };
  beforeAll(async () => {
    opened = await open();
    await pgvectorAuthority(opened.database).write(request(makeScope(SCOPE)));
  });

  it('while it is borrowed and waits fails the transaction, and nothing else', async () => {
    const { database } = opened;
    const failing = database.transaction(async (tx) => {
      await kill(await pidOf(tx));
      await tx.query('select 1');
    });
    await expect(failing).rejects.toMatchObject(LOST);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('while it is idle is replaced', async () => {
    const database = await openPostgres({ url: opened.url, max: 1 });
    await kill(await pidOf(database));
    // The server forgets a session before its last words have reached the client: a statement sent
    // in between is in flight.
    const first = await database.query('select 1 as one').catch((error: unknown) => error);
    if (!Array.isArray(first)) expect(first).toMatchObject(LOST);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database[Symbol.asyncDispose]();
  });

  it('with all the others at once fails what is in flight and serves what comes next', async () => {
    const database = await openPostgres({ url: opened.url, max: 4 });
    const sleeping = Array.from({ length: 8 }, () => database.query('select pg_sleep(60)'));
    const ends = Promise.allSettled(sleeping);
    const asleep = async () =>
      opened.owner.query(
        "select pid from pg_stat_activity where query = 'select pg_sleep(60)' and datname = current_database()",
      );
    let victims = await asleep();
    while (victims.length < 4) victims = await asleep();
    for (let killed = 0; killed < 8; victims = await asleep())
      for (const { pid } of victims) {
        await kill(Number(pid));
        killed += 1;
      }
    for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: LOST });
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database[Symbol.asyncDispose]();
  });

  it('before the commit leaves no doubt: the write was not stored', async () => {
    const authority = pgvectorAuthority(opened.database);
    await opened.owner.transaction(async (tx) => {
      await tx.query('select 1 from context_ops.scope_heads for update');
      const writing = expect(authority.write(request(keyed(1)))).rejects.toMatchObject(LOST);
      const waiting = async () =>
        tx.query(
          "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
      let [victim] = await waiting();
      while (!victim) [victim] = await waiting();
      await tx.query('select pg_terminate_backend($1)', [Number(victim['pid'])]);
      await writing;
    });
    const { receipts } = await authority.write(request(keyed(1)));
    expect(receipts[0]).toMatchObject({ outcome: 'stored' });
  });

  it('at the commit says so, and the same keys bring the answer that was lost', async () => {
    await using proxy = await openTcpProxy(opened.url);
    const database = await openPostgres({ url: proxy.url });
    const authority = pgvectorAuthority(database);
    proxy.cutAfter('commit\0');
    await expect(authority.write(request(keyed(2)))).rejects.toMatchObject(IN_DOUBT);
    const { receipts } = await authority.write(request(keyed(2)));
    expect(receipts[0]).toMatchObject({ outcome: 'duplicate', uuid: id(2, 2) });
    await database[Symbol.asyncDispose]();
  });

  it('does not end a subscription: the next poll resumes it', async () => {
    const database = await openPostgres({ url: opened.url, max: 1 });
    const authority = pgvectorAuthority(database, { pollMs: 5 });
    const { position } = await authority.heads(TENANT, [SCOPE]);
    let tell = (_seq: number): void => undefined;
    const told = new Promise<number>((resolve) => {
      tell = resolve;
    });
    const filter = { tenant: TENANT, scopes: [SCOPE], after: position };
    const subscription = await authority.subscribe(filter, (changes) => tell(changes[0]?.seq ?? 0));
    for (let kills = 0; kills < 10; kills += 1)
      await opened.owner.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename <> '' and pid <> pg_backend_pid() and datname = current_database()",
      );
    const { receipts } = await pgvectorAuthority(opened.database).write(request(keyed(3)));
    expect(await Promise.race([told, subscription.ended])).toBe(receipts[0]?.seq);
    await subscription[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
});

describe('a worker of the embedded database that dies', () => {
  const DEAD = { code: 'CONNECTOR.UNAVAILABLE', message: expect.stringContaining('worker ended') };
  const openWithWorker = async () => {
    const started = new Promise<Worker>((resolve) => process.once('worker', resolve));
    const pair = await openPglitePair({ dataDir: null });
    const worker = await started;
    return { ...pair, kill: () => worker.terminate() };
  };

  it('fails what was in flight and what comes after, with a code', async () => {
    const { database, kill } = await openWithWorker();
    const inFlight = expect(database.query('select pg_sleep(60)')).rejects.toMatchObject(DEAD);
    await kill();
    await inFlight;
    await expect(database.query('select 1')).rejects.toMatchObject(DEAD);
    await expect(database.transaction((tx) => tx.query('select 1'))).rejects.toMatchObject(DEAD);
  });

  it('at a commit leaves the same doubt as a server', async () => {
    const { database, owner, kill } = await openWithWorker();
    await owner.exec(`
      create table public.slow (n integer);
      grant insert on public.slow to contextengine_app;
      create function public.sleep() returns trigger language plpgsql as
        $body$ begin perform pg_sleep(60); return null; end $body$;
      create constraint trigger sleeps after insert on public.slow deferrable initially deferred
        for each row execute function public.sleep()`);
    let reached = (): void => undefined;
    const atCommit = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const dying = database.transaction(async (tx) => {
      await tx.query('insert into public.slow values (1)');
      // The driver sends its COMMIT in the microtasks that follow the body.
      setImmediate(reached);
    });
    const inDoubt = expect(dying).rejects.toMatchObject(IN_DOUBT);
    await atCommit;
    await kill();
    await inDoubt;
  });
});
