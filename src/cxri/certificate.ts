/**
 * The certificate of an erasure: what was reached and what cannot be, signed by the tenant's key.
 */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { ErasureCertificate, OutOfReach, Redaction } from '../model/erasure.ts';
import type { TenantId } from '../model/ids.ts';
import { canonicalJson } from './payload.ts';

/** Copies that no statement of the engine reaches. */
const OUT_OF_REACH: readonly OutOfReach[] = [
  {
    copy: 'write-ahead log',
    why: 'The database keeps its log of changes until it is written over.',
    remedy:
      'Embedded: `contextengine erase --compact`. A server: it goes with its checkpoints and ' +
      'archives.',
  },
  {
    copy: 'dead rows',
    why: 'The files of the tables keep what was overwritten until they are vacuumed.',
    remedy: 'Embedded: `contextengine erase --compact`. A server: `vacuum full` as its owner.',
  },
  {
    copy: 'backups and replicas',
    why: 'Copies of the database of before hold what it held.',
    remedy: 'Let them expire, and erase again after one was restored.',
  },
  {
    copy: 'exports and their receivers',
    why: 'What was exported, or sent to a model, left this system.',
    remedy: 'Ask whoever received it. Imported into this tenant it does not come back.',
  },
  {
    copy: 'mounts',
    why: 'A mount holds the row until it is fed, though nothing of it is served.',
    remedy: '`contextengine work` feeds them.',
  },
  {
    copy: 'memory of other processes',
    why: 'Compositions in caches are served no more, but stay in memory for up to 30 seconds.',
    remedy: 'Restart processes that ran before, where that matters.',
  },
  {
    copy: 'source files',
    why: 'Manifests, core memory files and ingested folders on disk are not the engine’s.',
    remedy: 'Edit them: a file that changes is read, and ingested, with all that it says.',
  },
];

/** Records that name who acted, and ids, numbers and times of what was there. */
const KEPT: readonly string[] = [
  'ids, times and order of the rows and of their journal entries',
  'names of principals in journal and audit: who wrote, proposed and erased',
  'numbers of outcomes by root',
  'idempotency keys, as keyed digests: what was erased is not ingested again under them',
];

/** What it says of an erased redaction. */
export const certificateBody = (
  tenant: TenantId,
  redaction: Redaction,
): Omit<ErasureCertificate, 'public_key' | 'signature'> => ({
  version: 1,
  tenant,
  redaction: redaction.redaction_uuid,
  target_kind: redaction.target_kind,
  principal: redaction.principal,
  on_behalf_of: redaction.on_behalf_of,
  suppressed_at: redaction.suppressed_at,
  erased_at: redaction.erased_at ?? redaction.suppressed_at,
  reached: redaction.counts,
  out_of_reach: OUT_OF_REACH,
  kept: KEPT,
  is_key_destroyed: redaction.target_kind === 'tenant',
});

const messageOf = ({ signature: _, ...body }: ErasureCertificate): Buffer =>
  Buffer.from(`contextengine erasure v1 ${canonicalJson(body)}`, 'utf8');

/** DER before the 32 bytes of an ed25519 key (RFC 8410). */
const PRIVATE_PREFIX = '302e020100300506032b657004220420';
const PUBLIC_PREFIX = '302a300506032b6570032100';

/** `seed`: 64 hexadecimal digits. */
export function signCertificate(
  body: Omit<ErasureCertificate, 'public_key' | 'signature'>,
  seed: string,
): ErasureCertificate {
  const key = createPrivateKey({
    key: Buffer.from(PRIVATE_PREFIX + seed, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  const public_key = spki.subarray(-32).toString('hex');
  const unsigned: ErasureCertificate = { ...body, public_key, signature: '' };
  return { ...unsigned, signature: sign(null, messageOf(unsigned), key).toString('hex') };
}

/** Whether it is whole, and signed with the key that it names. */
export function isSigned(certificate: ErasureCertificate): boolean {
  const { public_key: hex, signature } = certificate;
  if (!/^[0-9a-f]{64}$/.test(hex) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  const der = {
    key: Buffer.from(PUBLIC_PREFIX + hex, 'hex'),
    format: 'der',
    type: 'spki',
  } as const;
  try {
    const message = messageOf(certificate);
    return verify(null, message, createPublicKey(der), Buffer.from(signature, 'hex'));
  } catch {
    // Anyone may have written it: what has no canonical form, or no such key, nobody signed.
    return false;
  }
}
