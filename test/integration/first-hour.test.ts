/**
 * The page of the first hour, word for word: its commands run one after another in an empty folder,
 * by the built bin and without a network, and show what the page says.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { readRepositoryFile } from '../support/source-files.ts';

const BIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'first-hour-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The fenced commands of the page, block by block. */
const blocks = [
  ...readRepositoryFile('docs/first-hour.md').text.matchAll(/^```sh\n([\s\S]*?)^```/gm),
].map(([, text = '']) => text);

async function ran(commands: string): Promise<string> {
  const shell = `set -euo pipefail\nnpx() { shift; "${process.execPath}" "${BIN}" "$@"; }\n`;
  const { stdout } = await promisify(execFile)('bash', ['-c', shell + commands], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  return stdout;
}

it('runs as it is written', async () => {
  const [manifest = '', thread = '', memory = '', next = '', back = '', ...others] = blocks;
  expect(others).toEqual([]);
  expect(await ran(manifest)).toContain('sound: support-thread@1');
  expect(await ran(thread)).toContain('Order 4711 has not arrived yet.');
  const captured = await ran(memory);
  expect(captured).toMatch(/stored +fact .*Dana works at Northwind in Bergen\./);
  expect(captured).toMatch(/pending +T2 +contextengine\.capture/);
  expect(await ran(next)).toContain('Dana works at Northwind in Bergen.');
  const taken = await ran(back);
  expect(taken).toMatch(/author +[0-9-]+ +erased/);
  expect(taken).not.toContain('Bergen');
  expect(taken).toMatch(/entries, whole/);
}, 300_000);
