/**
 * Laws of the audit: one chain for each tenant, in the order of commits, with what it records or
 * not at all.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Authority } from '../../cxri/authority.ts';
import { AUDIT_START, type AuditEntry, type AuditRecord, auditText } from '../../model/audit.ts';
import type { TenantId } from '../../model/ids.ts';
import type { Law } from '../law.ts';
import { addFact, day, factContent, removeFact } from '../law-operations.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const entry = (of: Partial<AuditEntry> = {}): AuditEntry => ({
  principal: 'mallory',
  on_behalf_of: null,
  action: 'compose.cross_scope',
  scope_uuid: null,
  decision: 'denied',
  tier: 'excluded',
  detail: '',
  at: day(1),
  ...of,
});

const all = (connection: Authority, tenant: TenantId): Promise<readonly AuditRecord[]> =>
  connection.readAudit({ tenant, after: 0, limit: 10_000 });

async function assertChained(connection: Authority, tenant: TenantId): Promise<void> {
  let last = AUDIT_START;
  for (const record of await all(connection, tenant)) {
    assert.equal(record.seq, last.seq + 1, 'entries are numbered without a gap');
    assert.equal(record.previous, last.digest, 'an entry names the one before it');
    assert.equal(record.digest, sha256(auditText(tenant, record, record)), 'the digest is true');
    last = { seq: record.seq, digest: record.digest };
  }
  assert.deepEqual(await connection.auditHead(tenant), last, 'the head is the last entry');
}

export const audit: readonly Law[] = [
  {
    name: 'entries come back as they were given, in order, chained from the first',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      assert.deepEqual(await connection.auditHead(lab.tenant), AUDIT_START);
      const told = [
        entry(),
        entry({
          principal: 'Ärger, "quoted"\n:3',
          on_behalf_of: 'alice',
          scope_uuid: lab.id(),
          decision: 'allowed',
          tier: 'T1',
          detail: '12:x,-',
          at: day(2),
        }),
        entry({ at: day(0) }),
      ];
      await connection.audit(lab.tenant, told.slice(0, 2));
      await connection.audit(lab.tenant, []);
      await connection.audit(lab.tenant, told.slice(2));
      const records = await all(connection, lab.tenant);
      assert.deepEqual(
        records.map(
          ({ seq: _seq, previous: _previous, digest: _digest, written_at: _at, ...rest }) => rest,
        ),
        told,
      );
      await assertChained(connection, lab.tenant);
      assert.deepEqual(
        await connection.readAudit({ tenant: lab.tenant, after: 1, limit: 1 }),
        records.slice(1, 2),
      );
    },
  },
  {
    name: 'each tenant has a chain of its own',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      await connection.audit(lab.tenant, [entry()]);
      await connection.audit(lab.otherTenant, [entry(), entry()]);
      assert.equal((await all(connection, lab.tenant)).length, 1);
      await assertChained(connection, lab.tenant);
      await assertChained(connection, lab.otherTenant);
    },
  },
  {
    name: 'entries that arrive at once make one chain',
    needs: ['authority'],
    check: async (lab) => {
      const connections = [await lab.authority(), await lab.authority()];
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          connections[index % 2]?.audit(lab.tenant, [entry({ detail: String(index) }), entry()]),
        ),
      );
      const [connection] = connections;
      assert.ok(connection);
      assert.equal((await all(connection, lab.tenant)).length, 80);
      await assertChained(connection, lab.tenant);
    },
  },
  {
    name: 'an entry of a write is there if and only if the write is',
    needs: ['authority'],
    check: async (lab) => {
      const connection = await lab.authority();
      const scope = await lab.scope(connection);
      const uuid = lab.id();
      const told = entry({ decision: 'allowed', tier: 'T1', scope_uuid: scope });
      const request = {
        tenant: lab.tenant,
        writer: { principal: 'p', on_behalf_of: null, writer: 'law' },
        recorded_at: day(1),
        audit: [told],
      };
      await connection.write({
        ...request,
        operations: [addFact({ scope, uuid }, factContent('a'))],
      });
      assert.equal((await all(connection, lab.tenant)).length, 1);
      const absent = removeFact(scope, lab.id(), { cause: 'correction', from: 1 });
      await lab.refused(
        connection.write({
          ...request,
          operations: [addFact({ scope, uuid: lab.id() }, factContent('b')), absent],
        }),
        'WRITE.NOT_FOUND',
      );
      assert.equal((await all(connection, lab.tenant)).length, 1);
      await assertChained(connection, lab.tenant);
    },
  },
];
