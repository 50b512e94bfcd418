/** Laws of certificates: one for each erasure, signed by the key of its tenant. */
import assert from 'node:assert/strict';
import { isSigned } from '../../cxri/certificate.ts';
import { parseUuid } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { addBlock, addScope, blockContent } from '../law-operations.ts';
import { eraseNow, forgetBlock, tell } from './erasure.ts';

export const certificates: readonly Law[] = [
  {
    name: 'a certificate is there from the erasure on, signed, in its tenant alone',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn } = await tell(lab);
      const request = forgetBlock(lab, turn);
      const { redaction } = request;
      await connection.forget(request);
      assert.equal(await connection.loadCertificate(lab.tenant, redaction), null);
      const certificate = await connection.erase(eraseNow(request));
      assert.ok(isSigned(certificate));
      assert.deepEqual(
        [certificate.tenant, certificate.redaction, certificate.target_kind],
        [lab.tenant, redaction, 'block'],
      );
      assert.ok(!JSON.stringify(certificate).includes('xanadu'), 'it holds no word of it');
      assert.deepEqual(await connection.loadCertificate(lab.tenant, redaction), certificate);
      assert.equal(await connection.loadCertificate(lab.otherTenant, redaction), null);
    },
  },
  {
    name: 'a tenant signs with one key, and no two tenants with the same',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn, stays } = await tell(lab);
      assert.equal(await connection.signingKey(lab.otherTenant), null);
      const keys: string[] = [];
      for (const root of [turn, stays]) {
        const request = forgetBlock(lab, root);
        await connection.forget(request);
        keys.push((await connection.erase(eraseNow(request))).public_key);
      }
      const key = await connection.signingKey(lab.tenant);
      assert.deepEqual(keys, [key, key]);
      const tenant = lab.otherTenant;
      const scope = parseUuid('00000000-0000-4000-9000-000000000001', 'scope');
      const block = parseUuid('00000000-0000-4000-9000-000000000002', 'block');
      const operations = [
        addScope(scope),
        addBlock({ scope, uuid: block }, blockContent('theirs')),
      ];
      await lab.write(connection, operations, { tenant });
      const request = { ...forgetBlock(lab, block), tenant };
      await connection.forget(request);
      assert.notEqual((await connection.erase(eraseNow(request))).public_key, key);
    },
  },
  {
    name: 'a scan finds copies of a text until it is erased, and those of its tenant alone',
    needs: ['authority', 'erase'],
    check: async (lab) => {
      const { connection, turn } = await tell(lab);
      const before = await connection.scanCopies(lab.tenant, ['xanadu']);
      assert.ok(before.columns > 0 && before.found.length > 0);
      assert.deepEqual((await connection.scanCopies(lab.otherTenant, ['xanadu'])).found, []);
      const request = forgetBlock(lab, turn);
      await connection.forget(request);
      await connection.erase(eraseNow(request));
      assert.deepEqual((await connection.scanCopies(lab.tenant, ['xanadu'])).found, []);
    },
  },
];
