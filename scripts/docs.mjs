/**
 * Builds the site of the docs into docs/.vitepress/dist, which is not committed.
 *
 *     node scripts/docs.mjs            a link that leads nowhere fails it
 *     node scripts/docs.mjs --watch    serves it while pages are edited
 *
 * The pages of docs/api are made of the doc comments of what the package exports.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));
const run = (...words) => {
  const { status } = spawnSync('npx', ['--no-install', ...words], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

run('typedoc', '--options', 'docs/.vitepress/typedoc.json');
run('vitepress', process.argv.includes('--watch') ? 'dev' : 'build', 'docs');
