/**
 * Checks the import directions of .dependency-cruiser.mjs.
 *
 *     node scripts/directions.mjs [--root FOLDER] [--at-least MODULES]
 *
 * A checker that reads nothing also finds nothing (a compiler it does not understand makes it see
 * no imports), so seeing few modules, or modules without dependencies, is a failure of its own.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const HERE = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    root: { type: 'string', default: HERE },
    'at-least': { type: 'string', default: '31' },
  },
});

const folders = ['src', 'connectors', 'eval'].filter((name) => existsSync(join(values.root, name)));
const bin = join(HERE, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const args = [
  bin,
  '--config',
  join(HERE, '.dependency-cruiser.mjs'),
  '--output-type',
  'json',
  ...folders,
];
// The exit code counts violations: it is read from the report instead.
const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
  cwd: values.root,
  maxBuffer: 256 * 1024 * 1024,
}).catch((error) => error);
if (!stdout) throw new Error(`dependency-cruiser gave no report:\n${stderr}`);
const { modules, summary } = JSON.parse(stdout);
const seen = modules.filter((module) =>
  folders.some((name) => module.source.startsWith(`${name}/`)),
);
const imports = seen.reduce((sum, module) => sum + module.dependencies.length, 0);

for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle ? cycle.map((step) => step.name ?? step).join(' -> ') : to;
  console.error(`${rule.name}: ${from} -> ${path}`);
}
console.log(`${seen.length} modules, ${imports} imports, ${summary.violations.length} violations`);
if (seen.length < Number(values['at-least']) || imports === 0) {
  console.error(
    `Expected at least ${values['at-least']} modules with imports: the checker is not reading the code.`,
  );
  process.exitCode = 1;
}
if (summary.violations.length > 0) process.exitCode = 1;
