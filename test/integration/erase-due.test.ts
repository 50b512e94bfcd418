/** All that is due is erased, however many redactions there are, and whatever came after it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPgliteOwner } from '../../connectors/pgvector/driver/pglite/pglite.ts';
import type { OwnerDatabase } from '../../connectors/pgvector/driver/sql.ts';
import { type ContextEngine, LOCAL_PROFILE } from '../../src/index.ts';
import { describeOnDatabases } from '../support/databases.ts';
import { openEngine, START_MS } from '../support/engines.ts';
import { storeLocalHuman } from '../support/local-human.ts';

/** More than is erased at once. */
const DUE = 22;
/** More than any listing holds. */
const NOT_DUE = 1000;

/** Redactions without rows, as `forget` leaves them: by hand, for 1,000 forgettings take a minute. */
const plant = (owner: OwnerDatabase): Promise<void> =>
  owner.exec(`
    select set_config('contextengine.tenant', 'local', false);
    insert into context_ops.redactions
      (tenant_id, redaction_uuid, target_kind, principal, suppressed_at, erase_after)
    select 'local', gen_random_uuid(), 'block', 'local', at, at + interval '30 days'
    from (
      select timestamptz '2026-01-01' + n * interval '1 minute' as at
      from generate_series(1, ${DUE}) n
      union all
      select timestamptz '2026-02-27' + n * interval '1 minute'
      from generate_series(1, ${NOT_DUE}) n) planted;  `);

describeOnDatabases('erasing what is due', (open) => {
  it('reaches what is due behind a thousand newer redactions', { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'contextengine-due-'));
    const dataDir = join(folder, 'data');
    const opened = await open();
    const openHere = (): Promise<ContextEngine> =>
      openEngine({
        database: opened.url === null ? { dataDir } : { url: opened.url },
        embedder: 'off',
        time: { ms: START_MS },
        permission_profile: LOCAL_PROFILE,
      });
    try {
      if (opened.url === null) {
        await (await openHere()).close();
        const owner = await openPgliteOwner({ dataDir });
        await plant(owner);
        await owner[Symbol.asyncDispose]();
      } else {
        await storeLocalHuman(opened.owner);
        await plant(opened.owner);
      }
      const engine = await openHere();
      const certificates = await engine.erasure.erase(null);
      const suppressed = certificates.map(({ suppressed_at: at }) => at);
      expect(certificates).toHaveLength(DUE);
      expect(suppressed).toEqual(suppressed.toSorted());
      expect(await engine.erasure.erase(null)).toEqual([]);
      await engine.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
