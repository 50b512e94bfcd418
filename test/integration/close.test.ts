/** What is closed, whatever cannot be. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEngine } from '../support/engines.ts';

it('gives up the folder where an embedder cannot be closed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'close-'));
  try {
    const engine = await openEngine({
      database: { dataDir },
      embedder: {
        space: { provider: 'test', model: 'm', dimensions: 4 },
        embed: async (texts: readonly string[]) => texts.map(() => [1, 0, 0, 0]),
        close: async () => {
          throw new Error('in use');
        },
      },
    });
    await expect(engine.close()).rejects.toThrow('in use');
    await (await openEngine({ database: { dataDir }, embedder: 'off' })).close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
