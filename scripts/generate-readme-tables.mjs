/**
 * Writes the tables of README.md that follow from the code, between their markers.
 *
 *     node scripts/generate-readme-tables.mjs    after a build, whose output it reads
 *
 * test/readme.test.ts holds README.md equal to what this would write.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const README = fileURLToPath(new URL('../README.md', import.meta.url));

/** The table of error codes as Markdown. */
export function errorTable(codes) {
  const rows = Object.entries(codes).map(
    ([code, { retryable, summary }]) => `| \`${code}\` | ${summary.replaceAll('|', '\\|')} | ${retryable ? 'yes' : 'no'} |`,
  );
  return ['| code | meaning | retry |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The text with what stands between `<!-- name -->` and `<!-- /name -->` replaced. Throws if the markers are not there exactly once. */
export function withTable(text, name, table) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const parts = text.split(open);
  const rest = parts[1]?.split(close);
  if (parts.length !== 2 || rest?.length !== 2)
    throw new Error(`README.md needs \`${open}\` and \`${close}\`, each once and in this order.`);
  return `${parts[0]}${open}\n${table}\n${close}${rest[1]}`;
}

async function main() {
  const { ERROR_CODES } = await import('../dist/src/errors.js');
  await writeFile(README, withTable(await readFile(README, 'utf8'), 'error-codes', errorTable(ERROR_CODES)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
