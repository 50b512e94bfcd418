import { beforeAll, describe, it } from 'vitest';
import { PGVECTOR_CAPABILITIES } from '../../connectors/pgvector/capabilities.ts';
import { pgvectorAuthority } from '../../connectors/pgvector/index.ts';
import { conformanceSuite } from '../../src/conformance/index.ts';
import { describeOnDatabases, type TestDatabase } from '../support/databases.ts';
import { storeVectors } from '../support/store-vectors.ts';

describeOnDatabases('pgvector', (open, flavor) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await open();
  });
  conformanceSuite({
    runner: { describe, it },
    name: `pgvector on ${flavor}`,
    connect: async () => pgvectorAuthority(opened.database, { pollMs: 20 }),
    capabilities: PGVECTOR_CAPABILITIES,
    isAuthority: true,
    storeVectors,
  });
});
