/**
 * Everything a change must pass, in one command.
 *
 *     npm run check                      all parts
 *     npm run check -- --skip tests      all but some (repeat --skip)
 *     npm run check -- --only biome      some
 *
 * Two lanes run side by side: what needs no build, and the build with what follows from it.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runLanes } from './run-parts.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values } = parseArgs({
  options: {
    skip: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
  },
});

const node = (...args) => [process.execPath, ...args];
const bin = (path, ...args) => node(`node_modules/${path}`, ...args);

const LANES = [
  [
    {
      name: 'biome',
      command: bin(
        '@biomejs/biome/bin/biome',
        'ci',
        '--error-on-warnings',
        '--max-diagnostics=50',
        '.',
      ),
    },
    {
      name: 'types',
      command: bin(
        'typescript/bin/tsc',
        '-p',
        'tsconfig.json',
        '--incremental',
        '--tsBuildInfoFile',
        'node_modules/.cache/contextengine/check.tsbuildinfo',
      ),
    },
    { name: 'directions', command: node('scripts/directions.mjs') },
    { name: 'knip', command: bin('knip/bin/knip.js', '--no-progress', '--no-config-hints') },
    // What ships and is used by tests alone is dead as well.
    {
      name: 'knip-shipped',
      command: bin(
        'knip/bin/knip.js',
        '--no-progress',
        '--no-config-hints',
        '--production',
        '--include',
        'files,exports,types',
      ),
    },
  ],
  [
    { name: 'build', command: node('scripts/build.mjs') },
    { name: 'publint', command: bin('publint/src/cli.js', '--strict'), needs: ['build'] },
    { name: 'gate', command: node('dist/src/cli/main.js', 'eval', 'gate'), needs: ['build'] },
    {
      name: 'tests',
      command: bin('vitest/vitest.mjs', 'run'),
      isLive: true,
      needs: ['build'],
      timeoutMs: 8 * 60_000,
    },
  ],
];

const names = LANES.flat().map(({ name }) => name);
for (const name of [...values.skip, ...values.only]) {
  if (!names.includes(name))
    throw new Error(`There is no part \`${name}\`. Choose among ${names.join(', ')}.`);
}
const isWanted = ({ name }) =>
  !values.skip.includes(name) && (values.only.length === 0 || values.only.includes(name));
const wanted = LANES.map((lane) =>
  lane.filter(isWanted).map((part) => ({
    ...part,
    needs: (part.needs ?? []).filter((name) =>
      lane.some((other) => other.name === name && isWanted(other)),
    ),
  })),
);

const start = performance.now();
const results = await runLanes(wanted);
const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);

console.log('\ncheck');
for (const { name, ok, seconds } of results)
  console.log(`  ${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s`);
console.log(
  `  ${failed.length === 0 ? 'green' : `red: ${failed.join(', ')}`} after ${((performance.now() - start) / 1000).toFixed(1)} s`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
