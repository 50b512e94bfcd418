/**
 * Writes what follows from the table of codes: docs/codes.md.
 *
 *     node scripts/generate-code-docs.mjs    after a build, whose output it reads
 *
 * test/tidy.test.ts holds the page equal to what this writes.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../docs/codes.md', import.meta.url));

const cell = (text) => text.replaceAll('|', '\\|');
const table = (titles, rows) =>
  [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n');

const errorTable = (rows) =>
  table(
    ['code', 'meaning', 'retry'],
    rows.flatMap(([code, { error, meaning }]) =>
      error ? [[`\`${code}\``, meaning, error.retryable ? 'yes' : 'no']] : [],
    ),
  );

const FINDERS = {
  load: 'a manifest that is loaded',
  lint: '`validate`, manifests',
  pin: '`validate` and `generate`, the lock and the types',
  code: '`validate --code`',
  gate: '`eval gate`',
};

const findingTable = (rows) =>
  table(
    ['code', 'severity', 'found by', 'meaning'],
    rows.flatMap(([code, { finding, meaning }]) =>
      finding ? [[`\`${code}\``, finding.severity, FINDERS[finding.by], meaning]] : [],
    ),
  );

const warningTable = (rows) =>
  table(
    ['code', 'meaning', 'what to do'],
    rows.flatMap(([code, { warning, meaning, fix = '' }]) =>
      warning ? [[`\`${code}\``, meaning, fix]] : [],
    ),
  );

/** The text of docs/codes.md. */
export const codesPage = (rows) =>
  `${[
    '<!-- Written by scripts/generate-code-docs.mjs from src/codes/code-table.ts: change that, then run it. -->',
    '# Codes',
    'Every code that the engine, its tools and its connectors produce. The table is closed: a code that is not in it does not compile, and one that nothing produces fails a test.',
    '## Errors',
    'Thrown as `ContextEngineError`, with `message`, `fix`, `where`, `meta` and `retryable`: whether the same call again can succeed. What to do depends on the values of the call: each error has it in `fix`.',
    errorTable(rows),
    '## Findings',
    'Reported as data, never thrown: a code, a severity, a file with line and column, what was found, and in `fix` what to do, which depends on what stands there.',
    findingTable(rows),
    '## Warnings',
    'In `warnings` of a composition and of its receipt. Findings of severity `warning` that its manifest has stand there as well.',
    warningTable(rows),
  ].join('\n\n')}\n`;

async function main() {
  const { codeRows } = await import('../dist/src/codes/code-table.js');
  await writeFile(PAGE, codesPage(codeRows()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
