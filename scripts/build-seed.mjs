// Builds dist/seed: the migrated database folder that the embedded database starts from. Runs after
// tsc, from what tsc left in dist/.
import { relative } from 'node:path';
import { buildPgliteSeed } from '../dist/connectors/pgvector/driver/pglite/pglite.js';

const started = performance.now();
const seed = await buildPgliteSeed();
const seconds = ((performance.now() - started) / 1000).toFixed(1);
const what = seed.isNew ? `built in ${seconds} s` : 'is up to date';
process.stderr.write(
  `seed: ${relative(process.cwd(), seed.file)}, ${(seed.bytes / 1e6).toFixed(2)} MB, ${what}\n`,
);
