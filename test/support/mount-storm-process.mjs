// One process of the storm on a mount, from dist/ as users run it:
//
//     node mount-storm-process.mjs JSON
//
// Settings: { roles, database, manifests, mount, scopes, run, writers, ms, gone }. A writer
// remembers, corrects, replaces and forgets; a feeder feeds the mount, over and over; a reader
// composes from it. Every version of a fact has a token of its own. Prints JSON lines: {"ready"},
// {"gone":token} once a version may be shown no more, {"fed":n}, {"shown":token} for what was shown
// after it was gone, {"failed":code}, {"count":"writes"}.
import { writeSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { createContextEngine } from '../../dist/src/index.js';

const settings = JSON.parse(process.argv[2]);
const { roles, database, manifests, mount, scopes, run, writers, ms } = settings;
const permission_profile = { principal: 'local', tenant: 'storm', kind: 'human', scopes: '*' };
const say = (line) => {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
/** Between two writes of one writer: what is written has to be read again in the end. */
const PAUSE_MS = 60;
const until = performance.now() + ms;
const isOver = () => performance.now() > until;
const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** What was refused for a reason that the call names is an answer; anything else ends the process. */
async function answered(call) {
  try {
    return await call();
  } catch (error) {
    if (error.name !== 'ContextEngineError') throw error;
    say({ failed: error.code });
    return null;
  }
}

const gone = new Set(settings.gone ?? []);
const takeBack = (token) => {
  gone.add(token);
  say({ gone: token });
};

async function write(engine, index) {
  /** Facts of this writer that stand, as [root, token]. */
  const standing = [];
  const note = (result, token) => {
    const receipt = result?.receipts[0];
    if (receipt?.root_uuid) standing.push([receipt.root_uuid, token]);
  };
  for (let n = 0; !isOver(); n += 1) {
    const token = `tk${run}q${index}q${n}`;
    const content = `The harbour keeps ${pick(['boats', 'nets', 'ropes'])} under ${token}.`;
    const dice = Math.random();
    const [known] = standing.length > 3 && dice < 0.6 ? standing.splice(0, 1) : [];
    if (!known) note(await answered(() => engine.remember(pick(scopes), { content })), token);
    else if (dice < 0.25) {
      const corrected = await answered(() => engine.correct(known[0], { content }));
      if (corrected) takeBack(known[1]);
      note(corrected, token);
    } else if (dice < 0.4) {
      const forgotten = await answered(() => engine.forget({ root: known[0] }, { now: true }));
      if (forgotten) takeBack(known[1]);
    } else standing.push(known);
    say({ count: 'writes' });
    await rest(PAUSE_MS);
  }
}

async function feed(engine) {
  while (!isOver()) {
    const reports = await answered(() => engine.mounts.feed('archive'));
    if (reports) say({ fed: reports[0].upserted });
    else await rest(50);
    await rest(5);
  }
}

async function read(engine) {
  while (!isOver()) {
    const before = [...gone];
    const composed = await answered(() =>
      engine.composeBlockContext({
        ...{ scope_block_uuid: pick(scopes), intent: 'fact', query: 'What does the harbour keep?' },
        permission_profile,
      }),
    );
    const shown = new Set(composed?.text.match(/tk\d+q\d+q\d+/g) ?? []);
    for (const token of before) if (shown.has(token)) say({ shown: token });
    if (composed) say({ count: 'compositions' });
    await rest(20);
  }
}

process.stdin.on('data', (bytes) => {
  for (const token of String(bytes).split('\n')) if (token !== '') gone.add(token);
});
process.stdin.unref();

const engine = await createContextEngine({
  ...{ database, manifests, permission_profile },
  mounts: { archive: { connector: 'lancedb', path: mount, feed: 'work' } },
});
say({ ready: true });
await Promise.all([
  ...(roles.includes('write')
    ? Array.from({ length: writers }, (_, n) => write(engine, settings.index ?? n))
    : []),
  ...(roles.includes('feed') ? [feed(engine)] : []),
  ...(roles.includes('read') ? [read(engine)] : []),
]);
await engine.close();
process.exit(0);
