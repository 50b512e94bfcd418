/**
 * `npm run demo`: the bundled sample, composed for three features over a throw-away embedded
 * database.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
const { status } = spawnSync(process.execPath, [main, 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
