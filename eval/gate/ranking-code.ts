/**
 * A digest of everything that decides an order: when it changes, the baseline must have been
 * measured again.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../src/index.ts';

/** Files and folders below the repository. */
const RANKING_CODE = [
  'src/scoring',
  'src/inference',
  'src/text',
  'src/model/signals',
  'src/manifest/defaults.ts',
  'src/manifest/formula-presets.ts',
  'src/manifest/preset-formula.ts',
  'src/compose/4-enrich-query.ts',
  'src/compose/5-search-layers.ts',
  'src/compose/6-veto.ts',
  'src/compose/7-score.ts',
  'src/compose/judge-candidate.ts',
  'src/layers',
  'connectors/pgvector/postings.ts',
  'connectors/pgvector/query.ts',
  'connectors/pgvector/driver/sql.ts',
  'migrations',
];

/**
 * The nearest folder above this file with a `package.json`: the sources and `dist/` lie at
 * different depths.
 */
export function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/**
 * SHA-256 over names and texts. In an installed package, whose code does not change but by its
 * version, a digest of that.
 */
export function rankingCodeDigest(root: string = repositoryRoot()): string {
  const hash = createHash('sha256');
  if (!existsSync(join(root, 'src/scoring')))
    return hash.update(`version ${VERSION}`).digest('hex');
  const files = RANKING_CODE.flatMap((name) => filesBelow(join(root, name))).sort();
  for (const file of files) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    filesBelow(join(path, entry.name)),
  );
}
