/**
 * Forgetting, by sealed functions. They are executed under a role of their own, which the login
 * must be a member of: the application role can neither erase nor bring back.
 */
import { ContextEngineError } from '../../../src/codes/errors.ts';
import { certificateBody, signCertificate } from '../../../src/cxri/certificate.ts';
import type {
  CopyCounts,
  CopyScan,
  EraseRequest,
  ErasureCertificate,
  ForgetRequest,
  Redaction,
  RedactionQuery,
  RedactionState,
  TargetKind,
} from '../../../src/model/erasure.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { ERASER_ROLE } from '../driver/database.ts';
import { inTenant } from '../driver/session.ts';
import { type Database, SqlError, type SqlRow, type SqlSession } from '../driver/sql.ts';
import { isConflict, toWriteError } from '../refusals.ts';
import { asList, asObject, asText, toTime } from '../rows.ts';

/** Writers of the same scopes may be ended by the server in its favour, or it in theirs. */
const MAX_CONFLICTS = 5;

export async function forget(
  database: Database,
  { tenant, ...asked }: ForgetRequest,
): Promise<CopyCounts> {
  return asEraser(database, (tx) => forgetIn(tx, { tenant, ...asked }));
}

export async function forgetIn(
  tx: SqlSession,
  { tenant, ...asked }: ForgetRequest,
): Promise<CopyCounts> {
  const [row] = await tx.query('select context_ops.forget($1, $2::jsonb) as counts', [
    tenant,
    JSON.stringify(asked),
  ]);
  return toCounts(row?.['counts']);
}

/** The certificate is kept by the transaction that erases: it is never ahead of the fact. */
export const erase = (database: Database, request: EraseRequest): Promise<ErasureCertificate> =>
  asEraser(database, (tx) => eraseIn(tx, request));

export async function eraseIn(
  tx: SqlSession,
  { tenant, ...asked }: EraseRequest,
): Promise<ErasureCertificate> {
  const [row] = await tx.query('select context_ops.erase($1, $2::jsonb) as erased', [
    tenant,
    JSON.stringify(asked),
  ]);
  const { redaction, seed } = asObject(row?.['erased']);
  const held = asObject(redaction);
  // Kept by `certify`, as it was signed.
  if (held['certificate'] !== null) return held['certificate'] as ErasureCertificate;
  const certificate = signCertificate(certificateBody(tenant, toRedaction(held)), asText(seed));
  await tx.query('select context_ops.certify($1, $2, $3::jsonb, $4)', [
    tenant,
    asked.redaction,
    JSON.stringify(certificate),
    certificate.public_key,
  ]);
  return certificate;
}

export async function loadCertificate(
  database: Database,
  tenant: TenantId,
  redaction: Uuid,
): Promise<ErasureCertificate | null> {
  const [row] = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query(
      `select r.certificate from context_ops.redactions r
       where r.tenant_id = $1 and r.redaction_uuid = $2`,
      [tenant, redaction],
    ),
  );
  return (row?.['certificate'] ?? null) as ErasureCertificate | null; // kept as it was signed
}

export async function signingKey(database: Database, tenant: TenantId): Promise<string | null> {
  const [row] = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query('select k.public_key from context_ops.tenant_keys k where k.tenant_id = $1', [tenant]),
  );
  return typeof row?.['public_key'] === 'string' ? row['public_key'] : null;
}

export async function scanCopies(
  database: Database,
  tenant: TenantId,
  texts: readonly string[],
): Promise<CopyScan> {
  return asEraser(database, async (tx) => {
    const [row] = await tx.query('select context_ops.scan_copies($1, $2::jsonb) as scan', [
      tenant,
      JSON.stringify(texts),
    ]);
    const { columns, found } = asObject(row?.['scan']);
    return {
      columns: Number(columns),
      found: asList(found).map((each) => {
        const { table, column, rows } = asObject(each);
        return { table: asText(table), column: asText(column), rows: Number(rows) };
      }),
    };
  });
}

/** The role lasts as long as the transaction. */
export async function asEraser<T>(
  database: Database,
  body: (tx: SqlSession) => Promise<T>,
): Promise<T> {
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await database.transaction(async (tx) => {
        await becomeEraser(tx);
        return body(tx);
      });
    } catch (error) {
      if (!isConflict(error) || conflicts >= MAX_CONFLICTS) throw toWriteError(error);
    }
  }
}

/** The role is the eraser's from here to the end of the transaction, or of its savepoint. */
export async function becomeEraser(tx: SqlSession): Promise<void> {
  await tx.query(`set local role ${ERASER_ROLE}`).catch((error: unknown) => {
    throw isNoMember(error) ? notAnEraser(error) : error;
  });
}

const isNoMember = (error: unknown): error is SqlError =>
  error instanceof SqlError && error.sqlstate === '42501';

const notAnEraser = (cause: SqlError): ContextEngineError =>
  new ContextEngineError('PERMISSION.DENIED', {
    message: `The login of this connection may not act as \`${ERASER_ROLE}\`: nothing was forgotten.`,
    fix:
      `Forget with a login of its own that an administrator ran \`grant ${ERASER_ROLE} to …\` ` +
      'for.',
    cause,
  });

const toCounts = (counts: unknown): CopyCounts =>
  Object.fromEntries(
    Object.entries(asObject(counts)).map(([copy, count]) => [copy, Number(count)]),
  );

export async function listRedactions(
  database: Database,
  tenant: TenantId,
  { limit, id, due_by: dueBy }: RedactionQuery,
): Promise<readonly Redaction[]> {
  const rows = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query(
      `select r.redaction_uuid, r.target_kind, r.state, r.principal, r.on_behalf_of,
         r.suppressed_at, r.erase_after, r.erased_at, r.brought_back_at, r.counts
       from context_ops.redactions r
       where r.tenant_id = $1 and ($2::uuid is null or r.redaction_uuid = $2::uuid)
         and ($4::timestamptz is null
           or r.state = 'suppressed' and r.erase_after <= $4::timestamptz)
       order by case when $4::timestamptz is not null then r.erase_after end,
         r.suppressed_at desc, r.redaction_uuid limit $3`,
      [tenant, id ?? null, limit, dueBy ?? null],
    ),
  );
  return rows.map(toRedaction);
}

/** The casts name what the checks of the table hold. */
export const toRedaction = (row: SqlRow): Redaction => ({
  redaction_uuid: row['redaction_uuid'] as Uuid,
  target_kind: row['target_kind'] as TargetKind,
  state: row['state'] as RedactionState,
  principal: asText(row['principal']),
  on_behalf_of: row['on_behalf_of'] as string | null,
  suppressed_at: toTime(row['suppressed_at']),
  erase_after: toTime(row['erase_after']),
  erased_at: row['erased_at'] === null ? null : toTime(row['erased_at']),
  brought_back_at: row['brought_back_at'] === null ? null : toTime(row['brought_back_at']),
  counts: toCounts(row['counts']),
});
