// One process of the storm, from dist/ as users run it:  node storm-process.mjs JSON
//
// Settings: { role: 'write' | 'read', url, manifests, scopes, index, isLineage, ms } A writer
// repeats each write under its keys until it is answered; a reader composes, and notes what it was
// given. Prints JSON lines: {"acked":[key,uuid,seq,scope]} | {"alone":…} | {"composed":[id,sha256]}
// | {"failed":code} | {"bare":…} | {"done":…}.
import { createHash, randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { createContextEngine } from '../../dist/src/index.js';

const { role, url, manifests, scopes, alone, index, isLineage, ms } = JSON.parse(process.argv[2]);
const profile = { principal: `storm-${index}`, tenant: 'storm', kind: 'service', scopes: '*' };
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
const until = performance.now() + ms;
const isOver = () => performance.now() > until;
const pick = (list) => list[Math.floor(Math.random() * list.length)];

/**
 * Tries until it is answered: what fails on the way has a code and is retryable, or the storm has
 * found something.
 */
async function answered(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (error.code === undefined || error.name !== 'ContextEngineError') {
        say({ bare: `${error.name}: ${error.message}`, stack: error.stack });
        throw error;
      }
      say({ failed: error.code });
      if (!error.retryable) return null;
      await rest(20 + Math.random() * 80);
    }
  }
}

async function write(engine) {
  /** The last facts of each scope that this process wrote: what it derives from. */
  const known = new Map([...scopes, alone].map((scope) => [scope, []]));
  let acked = 0;
  for (let n = 0; !isOver(); n += 1) {
    // What is written to `alone` derives from nothing elsewhere: its export can be imported by
    // itself.
    const isAlone = n % 7 === 3;
    const scope = isAlone ? alone : scopes[(index + n) % scopes.length];
    const key = `${index}/${n}`;
    const others = scopes.filter((other) => other !== scope && known.get(other).length > 0);
    const sources =
      isLineage && n % 2 === 1
        ? [pick(known.get(scope)), pick(known.get((isAlone ? null : pick(others)) ?? scope))]
        : [];
    const fact = {
      content: `fact ${key} of the storm about ${pick(['wind', 'rain', 'hail', 'snow'])} ${n % 97}`,
      idempotency_key: key,
      ...(sources.every(Boolean) && sources.length > 0 && { sources: [...new Set(sources)] }),
    };
    const result = await answered(() =>
      engine.remember(scope, fact, { permission_profile: profile }),
    );
    if (result === null) continue;
    const [receipt] = result.receipts;
    say({ acked: [key, receipt.uuid, receipt.seq, scope] });
    if (isAlone) say({ alone: { fact, uuid: receipt.uuid, seq: receipt.seq } });
    acked += 1;
    const list = known.get(scope);
    list.push(receipt.uuid);
    if (list.length > 20) list.shift();
  }
  return { acked };
}

async function read(engine) {
  let composed = 0;
  while (!isOver()) {
    const query = `what of the ${pick(['wind', 'rain', 'hail', 'snow'])}?`;
    // Every other call has a deadline, so that given-up sessions are part of the storm.
    const composition = await answered(() =>
      engine.composeBlockContext({
        scope_block_uuid: pick([...scopes, alone]),
        intent: 'follow_up',
        query,
        permission_profile: profile,
        ...(composed % 2 === 1 && { deadline_ms: 2000 }),
      }),
    );
    if (composition === null) continue;
    composed += 1;
    if (composition.cache.state === 'hit') continue;
    const digest = createHash('sha256').update(composition.text).digest('hex');
    say({ composed: [composition.composition_id, digest] });
  }
  return { composed };
}

let engine = null;
while (engine === null)
  engine = await answered(() =>
    createContextEngine({ database: { url }, manifests, newId: randomUUID, embedder: 'builtin' }),
  );
const done = await (role === 'write' ? write(engine) : read(engine));
await engine.close();
say({ done: { role, index, ...done } });
