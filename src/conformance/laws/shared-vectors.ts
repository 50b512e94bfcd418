/** Laws of shared vectors: of their tenant and space, gone with anything that is forgotten. */
import assert from 'node:assert/strict';
import type { Authority } from '../../cxri/authority.ts';
import type { TenantId } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent } from '../law-operations.ts';
import { forgetBlock } from './erasure.ts';

const SPACE = 'test/space/3';
const digest = (n: number): string => n.toString(16).padStart(64, '0');
const NEVER = day(0);

const found = async (connection: Authority, tenant: TenantId, digests: readonly string[]) => {
  const { vectors } = await connection.sharedVectors(tenant, { space: SPACE, digests });
  return new Map(vectors.map((vector) => [vector.digest, vector.values]));
};

async function share(
  connection: Authority,
  tenant: TenantId,
  { epoch, of, at = 5, since = NEVER }: Sharing,
): Promise<void> {
  const vectors = of.map(([n, values]) => ({ digest: digest(n), values }));
  const given = { space: SPACE, epoch, vectors, at: day(at), kept_since: since };
  await connection.shareVectors(tenant, given);
}
interface Sharing {
  readonly epoch: number;
  readonly of: readonly (readonly [number, readonly number[]])[];
  readonly at?: number;
  readonly since?: ReturnType<typeof day>;
}

export const sharedVectors: readonly Law[] = [
  {
    name: 'a shared vector is found by its digest, in its tenant and space alone',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const asked = { space: SPACE, digests: [digest(1), digest(3)] };
      const { epoch } = await connection.sharedVectors(lab.tenant, asked);
      await share(connection, lab.tenant, {
        epoch,
        of: [
          [1, [0.5, -0.25, 1]],
          [2, [1, 0, 0]],
        ],
      });
      // The first that came is kept: all made of one text are one.
      await share(connection, lab.tenant, { epoch, of: [[1, [0, 0, 1]]] });
      const own = await found(connection, lab.tenant, [digest(1), digest(3)]);
      assert.deepEqual([...own], [[digest(1), [0.5, -0.25, 1]]]);
      assert.deepEqual([...(await found(connection, lab.otherTenant, [digest(1)]))], []);
      const other = { space: 'test/other/3', digests: [digest(1)] };
      assert.deepEqual((await connection.sharedVectors(lab.tenant, other)).vectors, []);
      await connection.dropSharedVectors(lab.otherTenant);
      assert.equal((await found(connection, lab.tenant, [digest(1)])).size, 1);
      await connection.dropSharedVectors(lab.tenant);
      assert.equal((await found(connection, lab.tenant, [digest(1)])).size, 0);
    },
  },
  {
    name: 'whatever is forgotten takes the shared vectors along, and those that come late',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const uuid = lab.id();
      await lab.write(connection, [addFact({ scope, uuid }, factContent('it goes'))]);
      const asked = { space: SPACE, digests: [digest(1)] };
      const { epoch } = await connection.sharedVectors(lab.tenant, asked);
      await share(connection, lab.tenant, { epoch, of: [[1, [1, 0, 0]]] });
      await connection.forget({ ...forgetBlock(lab, uuid), kind: 'root' });
      assert.equal((await found(connection, lab.tenant, [digest(1)])).size, 0);
      await share(connection, lab.tenant, { epoch, of: [[1, [1, 0, 0]]] });
      assert.equal((await found(connection, lab.tenant, [digest(1)])).size, 0, 'late');
      const now = (await connection.sharedVectors(lab.tenant, asked)).epoch;
      await share(connection, lab.tenant, { epoch: now, of: [[1, [1, 0, 0]]] });
      assert.equal((await found(connection, lab.tenant, [digest(1)])).size, 1);
    },
  },
  {
    name: 'shared vectors from before the time that is kept go',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const none = { space: SPACE, digests: [] };
      const { epoch } = await connection.sharedVectors(lab.tenant, none);
      await share(connection, lab.tenant, { epoch, of: [[1, [1, 0, 0]]], at: 1 });
      await share(connection, lab.tenant, { epoch, of: [[2, [1, 0, 0]]], at: 9, since: day(5) });
      const left = await found(connection, lab.tenant, [digest(1), digest(2)]);
      assert.deepEqual([...left.keys()], [digest(2)]);
    },
  },
  {
    name: 'the use of embeddings adds up by day and space',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const use = { space: SPACE, process: 3, shared: 2, provider: 1, saved_chars: 40 };
      for (const date of ['2026-01-01', '2026-01-02', '2026-01-02'])
        await connection.addEmbeddingUse(lab.tenant, { day: date, ...use });
      assert.deepEqual(await connection.embeddingUse(lab.tenant, '2026-01-02'), [
        { day: '2026-01-02', space: SPACE, process: 6, shared: 4, provider: 2, saved_chars: 80 },
      ]);
      assert.deepEqual(await connection.embeddingUse(lab.otherTenant, '2026-01-01'), []);
    },
  },
];
