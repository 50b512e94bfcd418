import { describe, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import { conformanceSuite } from '../../src/conformance/index.ts';
import { storeVectors } from '../support/store-vectors.ts';

const connector = createReferenceConnector();
const { capabilities } = await connector.connect();
conformanceSuite({
  runner: { describe, it },
  name: connector.name,
  connect: () => connector.connect(),
  capabilities,
  isAuthority: true,
  storeVectors,
});
