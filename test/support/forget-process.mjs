// Forgets one fact of an embedded folder at once and closes, run from dist/ so that it can be killed
// on its way:  node forget-process.mjs DATA_DIR MANIFESTS ROOT
//
// Prints `open`, `erased` and `closed`.
import { writeSync } from 'node:fs';
import { createContextEngine } from '../../dist/src/index.js';

const [dataDir, manifests, root] = process.argv.slice(2);
const engine = await createContextEngine({
  database: { dataDir },
  manifests,
  embeddingCache: 'off',
  embedder: {
    space: { provider: 'test', model: 'counting', dimensions: 3 },
    embed: async (texts) => texts.map((text) => [text.length, 1, 0]),
    close: async () => undefined,
  },
});
// Synchronous, so that a line once written is out whatever comes next.
writeSync(1, 'open\n');
await engine.forget({ root }, { now: true });
writeSync(1, 'erased\n');
await engine.close();
writeSync(1, 'closed\n');
