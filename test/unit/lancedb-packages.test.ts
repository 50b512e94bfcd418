import { expect, it } from 'vitest';
import { loadLance } from '../../connectors/lancedb/load.ts';
import { refusalOf } from '../support/engines.ts';

it('a mount without its packages says what to install, and what that weighs', async () => {
  const cause = new Error('Cannot find module');
  const refusal = await refusalOf(loadLance(() => Promise.reject(cause)));
  expect([refusal.code, refusal.cause]).toEqual(['CONNECTOR.MISSING_PACKAGE', cause]);
  expect(refusal.fix).toMatch(/npm install @lancedb\/lancedb@0\.37\.1 .*190 MB/);
});
