/** What is neither a file nor a folder is refused in our words, whatever it is to be read as. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSource } from '../../src/ingest/open-source.ts';
import { refusalOf } from '../support/engines.ts';

it.skipIf(process.platform === 'win32')('refuses a FIFO', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'no-file-'));
  try {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    async function* stdin(): AsyncGenerator<string> {}
    for (const adapter of ['scripts', 'markdown', 'jsonl', undefined] as const) {
      const asked = { path: 'pipe', adapter, name: undefined, terminal: { cwd, stdin: stdin() } };
      expect(await refusalOf(openSource(asked))).toMatchObject({ code: 'CLI.INPUT' });
    }
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
