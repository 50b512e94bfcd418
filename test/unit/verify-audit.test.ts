/**
 * A chain of 1,000: every single entry that is edited, removed, swapped or doubled is found at its
 * number.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { referenceAuthority } from '../../connectors/reference/index.ts';
import type { AuditEntry, AuditHead, AuditRecord } from '../../src/model/audit.ts';
import { auditText } from '../../src/model/audit.ts';
import { AuditVerifier } from '../../src/permission/verify-audit.ts';
import { attackSize } from '../support/attack-size.ts';
import { day, id, tenantNamed } from '../support/ledger.ts';

const SIZE = 1000;
const TENANT = tenantNamed('ours');
const digests = new Map<string, string>();
/** Kept: the same chain is read a thousand times over. */
function digestOf(text: string): string {
  const known = digests.get(text);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(text).digest('hex');
  digests.set(text, digest);
  return digest;
}

const entryOf = (index: number): AuditEntry => ({
  principal: `p${index % 7}`,
  on_behalf_of: index % 3 === 0 ? 'alice' : null,
  action: 'compose.reads',
  scope_uuid: index % 2 === 0 ? id(0, index % 50) : null,
  decision: 'denied',
  tier: 'excluded',
  detail: '',
  at: day(1),
});

const authority = referenceAuthority();
await authority.audit(
  TENANT,
  Array.from({ length: SIZE }, (_, index) => entryOf(index)),
);
const CHAIN = await authority.readAudit({ tenant: TENANT, after: 0, limit: SIZE });
const HEAD = await authority.auditHead(TENANT);

function faultsOf(chain: readonly AuditRecord[], known?: AuditHead) {
  const verifier = new AuditVerifier(TENANT, { digestOf, known });
  verifier.add([...chain].sort((a, b) => a.seq - b.seq));
  return verifier.end(HEAD).faults;
}
const at = (index: number): AuditRecord => {
  const record = CHAIN[index];
  if (!record) throw new Error('the chain has 1,000 entries');
  return record;
};
const withDigest = (record: AuditRecord): AuditRecord => ({
  ...record,
  digest: digestOf(auditText(TENANT, record, record)),
});
const replaced = (index: number, record: AuditRecord): readonly AuditRecord[] => [
  ...CHAIN.slice(0, index),
  record,
  ...CHAIN.slice(index + 1),
];

describe('a chain of 1,000 entries', () => {
  it('is whole as it was written', () => {
    expect(CHAIN).toHaveLength(SIZE);
    expect(faultsOf(CHAIN)).toEqual([]);
    expect(faultsOf(CHAIN, { seq: 500, digest: at(499).digest })).toEqual([]);
  });

  // The whole chain is read for each place: a run in full tries all of them, others a share with
  // both ends.
  const share = Math.max(1, Math.floor(SIZE / attackSize(50)));
  const places = CHAIN.map((_, index) => index).filter(
    (index) => index % share === 0 || index === 1 || index >= SIZE - 2,
  );
  const edits: Readonly<Record<string, (record: AuditRecord) => AuditRecord>> = {
    principal: (record) => ({ ...record, principal: 'nobody' }),
    'on behalf of': (record) => ({ ...record, on_behalf_of: 'bob' }),
    action: (record) => ({ ...record, action: 'compose.write' }),
    scope: (record) => ({ ...record, scope_uuid: id(9, 9) }),
    decision: (record) => ({ ...record, decision: 'allowed' }),
    tier: (record) => ({ ...record, tier: 'T1' }),
    detail: (record) => ({ ...record, detail: ' ' }),
    time: (record) => ({ ...record, at: day(2) }),
    digest: (record) => ({ ...record, digest: '1'.repeat(64) }),
    'the digest before it': (record) => ({ ...record, previous: '1'.repeat(64) }),
    'principal, with a digest to it': (record) => withDigest({ ...record, principal: 'nobody' }),
  };
  it.each(Object.keys(edits))('shows an edit of %s at its number', (name) => {
    for (const index of places) {
      const edited = edits[name]?.(at(index));
      expect(edited && faultsOf(replaced(index, edited)), `entry ${index + 1}`).toEqual([
        { seq: index + 1, fault: 'edited' },
      ]);
    }
  });

  it('shows each entry that was removed', () => {
    for (const index of places) {
      const faults = faultsOf(CHAIN.toSpliced(index, 1));
      expect(faults, `entry ${index + 1}`).toEqual([{ seq: index + 1, fault: 'removed' }]);
    }
  });

  it('shows two entries that changed places', () => {
    for (const index of places.slice(0, -1)) {
      const [one, other] = [at(index), at(index + 1)];
      const swapped = CHAIN.with(index, { ...one, seq: other.seq }).with(index + 1, {
        ...other,
        seq: one.seq,
      });
      expect(faultsOf(swapped)[0], `entry ${index + 1}`).toEqual({
        seq: index + 1,
        fault: 'edited',
      });
    }
  });

  it('shows an entry that is there twice, under its number or at the end', () => {
    for (const index of places) {
      expect(faultsOf([...CHAIN, at(index)])).toEqual([{ seq: index + 1, fault: 'added' }]);
      const later = withDigest({ ...at(index), seq: SIZE + 1, previous: HEAD.digest });
      expect(faultsOf([...CHAIN, later])).toEqual([{ seq: SIZE + 1, fault: 'added' }]);
    }
  });

  it('shows a chain that was made anew as a whole against a head that was kept', async () => {
    const other = referenceAuthority();
    await other.audit(
      TENANT,
      Array.from({ length: SIZE }, (_, index) => ({ ...entryOf(index), principal: 'nobody' })),
    );
    const anew = await other.readAudit({ tenant: TENANT, after: 0, limit: SIZE });
    const verifier = new AuditVerifier(TENANT, { digestOf, known: HEAD });
    verifier.add(anew);
    expect(verifier.end(await other.auditHead(TENANT)).faults).toEqual([
      { seq: SIZE, fault: 'rewritten' },
    ]);
  });
});
