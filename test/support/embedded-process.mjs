// A process of its own on an embedded folder, run from dist/ as users run it:  node
// embedded-process.mjs ROLE DATA_DIR [ARGUMENT]
//
//   try        opens and closes
//   hold       opens and keeps it open until it is killed
//   write N    opens and inserts batches of rows numbered from N, acknowledging each on stdout after its commit, until it is killed
//   contend N  takes and gives back the folder's lock N times, as fast as it can, and the last time dies with the lock held
//
// Prints JSON lines: {"open":ms} | {"refused":code,"message":…} | {"acked":[first,last]} |
// {"violation":…}.
import { existsSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../dist/connectors/folder-lock.js';
import { openPglitePair } from '../../dist/connectors/pgvector/driver/pglite/pglite.js';

const [role, dataDir, argument] = process.argv.slice(2);
// Synchronous, so that a line once written is out even if the next instruction is the last.
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

async function open() {
  const started = performance.now();
  const pair = await openPglitePair({ dataDir });
  say({ open: Math.round(performance.now() - started) });
  return pair;
}

async function write({ database, owner }) {
  await owner.exec(`
    create table if not exists public.crash_rows (id bigint primary key, batch bigint not null, batch_size int not null, note text not null);
    create index if not exists crash_rows_batch on public.crash_rows (batch);
    grant select, insert on public.crash_rows to contextengine_app`);
  for (let first = Number(argument); ; ) {
    const size = 1 + (first % 7) * 5;
    const rows = Array.from({ length: size }, (_, index) => ({
      id: first + index,
      batch: first,
      size,
      note: `note ${first + index} `.repeat(30),
    }));
    await database.transaction(async (tx) => {
      for (const part of [rows.slice(0, size >> 1), rows.slice(size >> 1)]) {
        await tx.query(
          `insert into public.crash_rows select id, batch, size, note
           from jsonb_to_recordset($1::jsonb) as r (id bigint, batch bigint, size int, note text)`,
          [JSON.stringify(part)],
        );
      }
    });
    say({ acked: [first, first + size - 1] });
    first += size;
  }
}

function contend(times) {
  const mark = join(dataDir, 'critical');
  for (let held = 0; held < times; ) {
    let lock;
    try {
      lock = lockFolder(dataDir, { onLost: () => say({ violation: 'the lock was lost' }) });
    } catch (error) {
      if (error.code === 'CONNECTOR.LOCKED') continue;
      throw error;
    }
    held += 1;
    if (existsSync(mark))
      say({ violation: `process ${process.pid} holds the lock together with another` });
    writeFileSync(mark, String(process.pid));
    for (const until = performance.now() + 2; performance.now() < until; );
    rmSync(mark, { force: true });
    if (held === times) process.kill(process.pid, 'SIGKILL');
    lock.release();
  }
}

try {
  if (role === 'contend') contend(Number(argument));
  else {
    const pair = await open();
    if (role === 'try') await pair.database[Symbol.asyncDispose]();
    else if (role === 'hold') setInterval(() => undefined, 1 << 30);
    else await write(pair);
  }
} catch (error) {
  say({ refused: error.code ?? error.name, message: error.message });
}
