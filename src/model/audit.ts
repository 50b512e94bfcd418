/**
 * The audit of a tenant: denials, what needed more than T1, reads across scopes, rights that
 * changed. A chain: each entry is numbered and carries the digest of the one before it. No content
 * is in it.
 */
import type { Instant, TenantId, Uuid } from './ids.ts';

export const AUDIT_DECISIONS = [
  'denied',
  'allowed',
  'proposed',
  'approved',
  'rejected',
  'expired',
  'conflict',
] as const;
export type AuditDecision = (typeof AUDIT_DECISIONS)[number];

export interface AuditEntry {
  readonly principal: string;
  readonly on_behalf_of: string | null;
  /** Where it entered and what was asked: `write.writes`, `compose.reads`, `principals.grants`. */
  readonly action: string;
  /** As the caller named it, whether or not there is one; null = no single scope. */
  readonly scope_uuid: Uuid | null;
  readonly decision: AuditDecision;
  readonly tier: string;
  /** The uuid of a proposal, the name of a principal, a count: at most 300 characters. */
  readonly detail: string;
  readonly at: Instant;
}

/** The last entry of a chain. */
export interface AuditHead {
  readonly seq: number;
  /** 64 hexadecimal digits. */
  readonly digest: string;
}

export interface AuditRecord extends AuditEntry, AuditHead {
  /** The digest of the entry before it. */
  readonly previous: string;
  /**
   * When the database wrote the entry, by its own clock: `at` is what the caller stated. null = by
   * an earlier version, or by a store without a clock.
   */
  readonly written_at: Instant | null;
}

/** What the first entry follows. */
export const AUDIT_START: AuditHead = { seq: 0, digest: '0'.repeat(64) };

/**
 * What the digest of an entry is made of. Each field stands with its length in bytes, so that no
 * two entries have one text; `-` is null.
 *
 * Invariant: `context_ops.audit_digest` makes the same (src/conformance/laws/audit.ts).
 */
export function auditText(
  tenant: TenantId,
  { seq, previous }: Pick<AuditRecord, 'seq' | 'previous'>,
  entry: AuditEntry & Pick<AuditRecord, 'written_at'>,
): string {
  const fields = [
    tenant,
    String(seq),
    entry.at,
    entry.principal,
    entry.on_behalf_of,
    entry.action,
    entry.scope_uuid,
    entry.decision,
    entry.tier,
    entry.detail,
    ...(entry.written_at === null ? [] : [entry.written_at]),
  ];
  return previous + fields.map(measured).join(',');
}

const utf8 = new TextEncoder();
const ASCII = /^[\x20-\x7e]*$/;
const bytesOf = (text: string): number =>
  ASCII.test(text) ? text.length : utf8.encode(text).length;
const measured = (field: string | null): string =>
  field === null ? '-' : `${bytesOf(field)}:${field}`;
