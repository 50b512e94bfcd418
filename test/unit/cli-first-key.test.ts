/** `migrate --first-principal --new`: a refusal leaves no key behind. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
