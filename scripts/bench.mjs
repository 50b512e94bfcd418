/**
 * Runs the benches of test/bench, each in a process of its own, and tells whether their bars were
 * met.
 *
 *     npm run bench                 all
 *     npm run bench -- compose      those whose name holds a word
 */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../test/bench/', import.meta.url);
const words = process.argv.slice(2);
const files = (await readdir(FOLDER))
  .filter((name) => name.endsWith('.bench.mjs') && words.every((word) => name.includes(word)))
  .sort();
if (files.length === 0) throw new Error(`No bench is named \`${words.join(' ')}\`.`);

const runOne = (file) =>
  new Promise((resolve) => {
    const source = `const { run } = await import(${JSON.stringify(new URL(file, FOLDER).href)}); process.exitCode = (await run()) ? 0 : 3;`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      stdio: 'inherit',
      cwd: fileURLToPath(new URL('..', import.meta.url)),
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });

console.log(`node ${process.version}, ${process.platform} ${process.arch}`);
const missed = [];
for (const file of files) if ((await runOne(file)) !== 0) missed.push(file);
console.log(
  missed.length === 0 ? '\nbench: all bars met' : `\nbench: not met: ${missed.join(', ')}`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
