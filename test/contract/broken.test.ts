import { describe, expect, it } from 'vitest';
import { createReferenceConnector } from '../../connectors/reference/index.ts';
import { conformanceSuite, type TestRunner } from '../../src/conformance/index.ts';
import type { Authority } from '../../src/cxri/authority.ts';
import { BROKEN, brokenConnector } from '../support/broken-connectors.ts';
import { storeVectors } from '../support/store-vectors.ts';

const { capabilities } = await createReferenceConnector().connect();

/** Runs the suite over a connector and gives the names of the laws that fail. */
async function failures(connect: () => Promise<Authority>): Promise<readonly string[]> {
  const laws: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    it: (name, body) => void laws.push({ name, body }),
  };
  conformanceSuite({
    runner,
    name: 'broken',
    connect,
    capabilities,
    isAuthority: true,
    storeVectors,
    patienceMs: 250,
  });
  const failed: string[] = [];
  for (const { name, body } of laws) await body().catch(() => failed.push(name));
  return failed;
}

describe('the conformance suite', () => {
  it('passes the connector that all the broken ones are made of', async () => {
    const connector = createReferenceConnector();
    expect(await failures(() => connector.connect())).toEqual([]);
  });

  for (const name of Object.keys(BROKEN)) {
    it(`fails a connector that ${name}`, async () => {
      const connector = brokenConnector(name);
      expect(await failures(() => connector.connect())).not.toEqual([]);
    });
  }
});
