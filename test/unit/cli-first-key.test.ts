/** `migrate`: what it reports; with `--first-principal --new` a refusal leaves no key behind. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFlags } from '../../src/cli/arguments.ts';
import { madeWords, rangeOf } from '../../src/cli/migrate-words.ts';
import { run } from '../../src/cli/run.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const ASKED = ['migrate', '--tenant', 'acme', '--first-principal', 'carol', '--new', 'carol.pem'];

it('writes no key file where the first principal is refused', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'contextengine-first-key-'));
  const terminal = memoryTerminal({ cwd });
  expect(await run(ASKED, terminal)).toBe(2);
  expect(terminal.errors()).toContain('first');
  expect(existsSync(join(cwd, 'carol.pem'))).toBe(false);
});

it('leaves a file alone that was there before', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'contextengine-first-key-'));
  writeFileSync(join(cwd, 'carol.pem'), 'another');
  expect(await run(ASKED, memoryTerminal({ cwd }))).toBe(2);
  expect(existsSync(join(cwd, 'carol.pem'))).toBe(true);
});

it('names the first and the last of many migrations', () => {
  expect(rangeOf(['0001_roles', '0002_blocks', '0003_links'])).toBe('0001_roles ... 0003_links');
  expect(rangeOf(['0046_words'])).toBe('0046_words');
});

it.each([
  [{ new: ['carol.pem'] }, /^made .*; the private key is in carol\.pem, .* registered$/],
  [{ public: ['carol.pub'] }, /^made .*; the public key of carol\.pub is registered$/],
  [{}, /^made .*, without a key$/],
  [{ new: ['carol.pem'], 'dry-run': [''] }, /^would make .*; no key was made$/],
])('reports the first principal and the key of %j', (given, words) => {
  const flags = createFlags(new Map(Object.entries(given)));
  const said = madeWords(flags, { principal: 'carol', tenant: 'acme' });
  expect(said).toMatch(words);
  expect(said).toContain('principal carol of tenant acme');
});
