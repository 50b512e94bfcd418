/**
 * A ledger with writers who correct and forget, and a mount of LanceDB whose feeder is killed: in
 * the end it has the rows of a rebuild, and at no lag is anything shown that was taken back.
 *
 * CONTEXTENGINE_MOUNT_STORM=8,50 has as many writers and kills.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { parseTenant } from '../../src/model/ids.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { day } from '../support/ledger.ts';
import { mountStorm, STORM_TENANT } from '../support/mount-storm.mjs';

const [WRITERS = 3, KILLS = 4] = (process.env['CONTEXTENGINE_MOUNT_STORM'] ?? '3,3')
  .split(',')
  .map(Number);

describeOnDatabases('a mount whose feeder is killed while others write', (open) => {
  it('ends as a rebuild does, and shows nothing that was taken back', async () => {
    const opened = await open();
    const folder = mkdtempSync(join(tmpdir(), 'contextengine-mount-storm-'));
    if (opened.url !== null)
      await pgvectorAuthority(opened.database).changeRights(
        parseTenant(STORM_TENANT),
        {
          ...{ action: 'set', principal: 'local', kind: 'human', scopes: '*' },
          tiers: { redactions: 'T1', deletes: 'T1' },
        },
        { principal: 'root', on_behalf_of: null, scope_uuid: null, at: day(1) },
      );
    try {
      const database =
        opened.url === null ? { dataDir: join(folder, 'data') } : { url: opened.url };
      const result = await mountStorm({ database, writers: WRITERS, kills: KILLS });
      expect(result.problems).toEqual([]);
      expect(result.kills).toBe(KILLS);
      expect(Math.min(result.gone, result.fed, result.rows)).toBeGreaterThan(0);
      if (KILLS >= 50) process.stdout.write(`${JSON.stringify(result)}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 3_600_000);
});
