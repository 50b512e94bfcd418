/** Laws of the store of compositions: receipts, and artifacts by digest. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { CompositionReceipt } from '../../model/composition.ts';
import type { Uuid } from '../../model/ids.ts';
import type { HeldScopes } from '../../model/permission.ts';
import type { Lab } from '../lab.ts';
import type { Law } from '../law.ts';
import { day } from '../law-operations.ts';

const only = (...scopes: readonly Uuid[]): HeldScopes => ({ all: false, uuids: new Set(scopes) });
const ALL: HeldScopes = { all: true, uuids: new Set() };

export function receiptOf(lab: Lab, scope: Uuid): CompositionReceipt {
  const tokens = { used: 1, budget: 2, reserved: 3, exact: true, encoding: 'o200k_base' } as const;
  return {
    composition_id: lab.id(),
    scope_uuid: scope,
    created_at: day(1),
    position: [{ scope, head: 1 }],
    usage_position: [],
    settings_digest: 'd',
    encoding: 'o200k_base',
    text_sha256: 't',
    request: {
      intent: 'fact',
      query: 'q 🙂',
      inputs: { a: 'b' },
      principal: 'p',
      as_of: day(1),
      model: null,
      format: 'xml',
      time_zone: 'UTC',
    },
    manifest: { name: 'm', version: '1', digest: 'd' },
    tokens,
    layers: {},
    items: [],
    dropped: [],
    degraded: [],
    warnings: [],
  };
}

export const compositions: readonly Law[] = [
  {
    name: 'a receipt comes back as it was saved, to its tenant and to who holds its scope',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const receipts = [receiptOf(lab, scope), receiptOf(lab, other)] as const;
      await connection.saveReceipts(lab.tenant, receipts);
      assert.deepEqual(
        await connection.loadReceipt(lab.tenant, receipts[0].composition_id, ALL),
        receipts[0],
      );
      assert.deepEqual(
        await connection.loadReceipt(lab.tenant, receipts[1].composition_id, only(other)),
        receipts[1],
      );
      assert.equal(
        await connection.loadReceipt(lab.tenant, receipts[0].composition_id, only(other)),
        null,
      );
      assert.equal(
        await connection.loadReceipt(lab.otherTenant, receipts[0].composition_id, ALL),
        null,
      );
      assert.equal(await connection.loadReceipt(lab.tenant, lab.id(), ALL), null);
    },
  },
  {
    name: 'the latest receipts of a manifest are listed newest first, of scopes that are held',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const [scope, other] = [await lab.scope(connection), await lab.scope(connection)];
      const at = (place: Uuid, n: number, name = 'm') => ({
        ...receiptOf(lab, place),
        created_at: day(n),
        manifest: { name, version: String(n), digest: 'd' },
      });
      await connection.saveReceipts(lab.tenant, [
        at(scope, 2),
        at(other, 3),
        at(scope, 1),
        at(scope, 4, 'n'),
        at(scope, 5),
      ]);
      await connection.saveReceipts(lab.otherTenant, [at(scope, 6)]);
      const listed = async (
        limit: number,
        held: HeldScopes,
        manifest: string | null = 'm',
      ): Promise<readonly string[]> =>
        (await connection.listReceipts(lab.tenant, { manifest, limit }, held)).map(
          (receipt) => receipt.manifest.version,
        );
      assert.deepEqual(
        [await listed(9, ALL), await listed(2, ALL), await listed(9, only(other))],
        [['5', '3', '2', '1'], ['5', '3'], ['3']],
      );
      assert.deepEqual(
        [await listed(9, ALL, null), await listed(1, only(other), null)],
        [['5', '4', '3', '2', '1'], ['3']],
      );
    },
  },
  {
    name: 'an artifact is kept by its digest, for its tenant; saving it again is free',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const content = 'a: "🙂"\n';
      const digest = createHash('sha256').update(content).digest('hex');
      for (let n = 0; n < 2; n += 1)
        await connection.saveArtifact(lab.tenant, { digest, kind: 'file', content });
      assert.equal(await connection.loadArtifact(lab.tenant, digest), content);
      assert.equal(await connection.loadArtifact(lab.otherTenant, digest), null);
      assert.equal(await connection.loadArtifact(lab.tenant, 'another'), null);
    },
  },
];
