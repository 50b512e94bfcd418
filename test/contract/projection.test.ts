import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLancedbProjection } from '../../connectors/lancedb/index.ts';
import { createReferenceProjection } from '../../connectors/reference/index.ts';
import {
  type Projection,
  projectionSuite,
  type TestRunner,
  VECTOR_SPACE,
  VECTOR_SPACE_NAME,
} from '../../src/conformance/index.ts';
import { BROKEN_PROJECTIONS, brokenProjection } from '../support/broken-projections.ts';

const SPACE = { name: VECTOR_SPACE_NAME, dimensions: VECTOR_SPACE.dimensions };
const reference = createReferenceProjection();

projectionSuite({
  runner: { describe, it },
  name: reference.name,
  connect: () => reference.connect({ space: SPACE }),
});

const folder = mkdtempSync(join(tmpdir(), 'contextengine-mount-'));
const lancedb = createLancedbProjection({ path: folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

projectionSuite({
  runner: { describe, it },
  name: lancedb.name,
  connect: () => lancedb.connect({ space: SPACE }),
});

async function failures(connect: () => Promise<Projection>): Promise<readonly string[]> {
  const laws: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    it: (name, body) => void laws.push({ name, body }),
  };
  projectionSuite({ runner, name: 'broken', connect, patienceMs: 500 });
  const failed: string[] = [];
  for (const { name, body } of laws) await body().catch(() => failed.push(name));
  return failed;
}

describe('the suite of projections', () => {
  for (const [name, { law }] of Object.entries(BROKEN_PROJECTIONS))
    it(`fails a projection that ${name}`, async () => {
      const connector = brokenProjection(name);
      expect(await failures(() => connector.connect({ space: SPACE }))).toContain(law);
    });

  it('has a broken projection for each of its laws', async () => {
    const laws: string[] = [];
    const runner: TestRunner = {
      describe: (_name, body) => body(),
      it: (name) => void laws.push(name),
    };
    const connect = () => reference.connect({ space: SPACE });
    projectionSuite({ runner, name: 'all', connect });
    const broken = new Set(Object.values(BROKEN_PROJECTIONS).map(({ law }) => law));
    expect(laws.filter((law) => !broken.has(law))).toEqual([]);
  });
});
