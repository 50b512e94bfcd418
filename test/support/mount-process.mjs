// One feeder of a mount of LanceDB, from dist/ as users run it:  node mount-process.mjs JSON
//
// Settings: { folder, head, base, dieAt, isRebuild }. Erases, feeds the made-up history of
// mount-history.mjs up to `head`, tends the mount, and makes it again where `isRebuild`. Prints JSON
// lines of what it begins and what is done; with `dieAt` it kills itself (SIGKILL) before the n-th
// change of a file or of a table.
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLancedbProjection } from '../../dist/connectors/lancedb/index.js';
import { createHistory, SCOPE, SPACE, TENANT } from './mount-history.mjs';

const { folder, head, base = 0, dieAt = 0, isRebuild = false } = JSON.parse(process.argv[2]);
const history = createHistory({ base, head });
const say = (line) => fs.writeSync(1, `${JSON.stringify(line)}\n`);

let steps = 0;
function count(holder, name) {
  const own = holder[name];
  holder[name] = function (...args) {
    steps += 1;
    if (steps === dieAt) process.kill(process.pid, 'SIGKILL');
    return own.apply(this, args);
  };
}

/** The methods of a table stand on the prototype of a class that is not exported. */
async function countTables() {
  const { connect } = createRequire(import.meta.url)('@lancedb/lancedb');
  const probe = fs.mkdtempSync(join(tmpdir(), 'contextengine-probe-'));
  const db = await connect(probe);
  const table = await db.createTable('probe', [{ a: 1 }]);
  const shape = Object.getPrototypeOf(table);
  for (const name of ['add', 'mergeInsert', 'delete', 'createIndex', 'optimize'])
    count(shape, name);
  table.close();
  db.close();
  fs.rmSync(probe, { recursive: true });
}

const projection = await createLancedbProjection({ path: folder }).connect({ space: SPACE });
await countTables();
for (const name of ['writeFileSync', 'rmSync', 'cpSync']) count(fs, name);
for (const name of ['mkdir', 'open', 'rename']) count(fs.promises, name);
syncBuiltinESMExports();

async function apply(feed, from) {
  let seq = from;
  while (seq < head) {
    const batch = history.batchAfter(seq);
    await feed.apply(batch);
    ({ seq } = batch.cursor);
  }
}
const seqOf = ({ marks }) => marks.find(({ scope }) => scope === SCOPE)?.seq ?? 0;
const erasure = { tenant: TENANT, scopes: [], policy_epoch: history.epoch };

say({ begun: 'feed' });
const feed = await projection.feed();
const cursor = await feed.cursor(TENANT);
if (cursor.policy_epoch !== history.epoch) {
  say({ begun: 'erase' });
  await feed.erase({ ...erasure, uuids: history.forgotten });
}
say({ erased: head });
say({ begun: 'apply' });
await apply(feed, seqOf(cursor));
say({ begun: 'upkeep' });
await feed.upkeep();
await feed[Symbol.asyncDispose]();
if (isRebuild) {
  say({ begun: 'rebuild' });
  const rebuild = await projection.rebuild();
  await apply(rebuild, 0);
  await rebuild.erase({ ...erasure, uuids: [] });
  say({ begun: 'commit' });
  await rebuild.commit();
  await rebuild[Symbol.asyncDispose]();
}
await projection[Symbol.asyncDispose]();
say({ done: true, steps });
process.exit(0);
