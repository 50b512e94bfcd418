// One process of readers, from dist/ as users run it:  node barrier-reader.mjs JSON
//
// Settings: { url, manifests, scope, readers }. Composes with the cache on, in `readers` loops,
// until its input ends, and each loop once more after it. Prints `served N` when a cache first gave
// what derives in generation N; at the end one JSON line: { reads: [[begun, [generation, …]], …], hits }.
// `begun` is of the machine's monotonic clock, in milliseconds: every process reads the same one.
import { createContextEngine } from '../../dist/src/index.js';

const { url, manifests, scope, readers } = JSON.parse(process.argv[2]);
const permission_profile = { principal: 'reader', tenant: 'barrier', kind: 'service', scopes: '*' };
const engine = await createContextEngine({ database: { url }, manifests, embedder: 'off' });

let isOver = false;
process.stdin.resume();
process.stdin.on('end', () => {
  isOver = true;
});

const reads = [];
let hits = 0;
const queries = ['generation derived', 'derived item', 'item of the generation', 'generation'];
const told = new Set();
async function read(index) {
  for (let isLast = false; !isLast; ) {
    isLast = isOver;
    const begun = Number(process.hrtime.bigint()) / 1e6;
    const { text, cache } = await engine.composeBlockContext({
      scope_block_uuid: scope,
      intent: 'follow_up',
      query: queries[index % queries.length],
      permission_profile,
    });
    const served = [...text.matchAll(/derived item of generation (\d+)/g)].map(([, n]) =>
      Number(n),
    );
    reads.push([begun, [...new Set(served)]]);
    if (cache.state !== 'hit') continue;
    hits += 1;
    for (const n of served)
      if (!told.has(n)) {
        told.add(n);
        process.stdout.write(`served ${n}\n`);
      }
  }
}

process.stdout.write('ready\n');
await Promise.all(Array.from({ length: readers }, (_, index) => read(index)));
await engine.close();
process.stdout.write(`${JSON.stringify({ reads, hits })}\n`);
