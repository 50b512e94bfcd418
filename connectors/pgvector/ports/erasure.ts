/**
 * Forgetting, by sealed functions. They are executed under a role of their own, which the login
 * must be a member of: the application role can neither erase nor bring back.
 */
import { ContextEngineError } from '../../../src/codes/errors.ts';
import type {
  CopyCounts,
  ForgetRequest,
  Redaction,
  RedactionState,
  TargetKind,
} from '../../../src/model/erasure.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { ERASER_ROLE } from '../driver/database.ts';
import { inTenant } from '../driver/session.ts';
import { type Database, SqlError, type SqlSession } from '../driver/sql.ts';
import { isConflict, toWriteError } from '../refusals.ts';
import { asObject, asText, toTime } from '../rows.ts';

/** Writers of the same scopes may be ended by the server in its favour, or it in theirs. */
const MAX_CONFLICTS = 5;

export async function forget(
  database: Database,
  { tenant, ...asked }: ForgetRequest,
): Promise<CopyCounts> {
  return asEraser(database, async (tx) => {
    const [row] = await tx.query('select context_ops.forget($1, $2::jsonb) as counts', [
      tenant,
      JSON.stringify(asked),
    ]);
    return toCounts(row?.['counts']);
  });
}

/** The role lasts as long as the transaction. */
async function asEraser<T>(database: Database, body: (tx: SqlSession) => Promise<T>): Promise<T> {
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await database.transaction(async (tx) => {
        await tx.query(`set local role ${ERASER_ROLE}`).catch((error: unknown) => {
          throw isNoMember(error) ? notAnEraser(error) : error;
        });
        return body(tx);
      });
    } catch (error) {
      if (!isConflict(error) || conflicts >= MAX_CONFLICTS) throw toWriteError(error);
    }
  }
}

const isNoMember = (error: unknown): error is SqlError =>
  error instanceof SqlError && error.sqlstate === '42501';

const notAnEraser = (cause: SqlError): ContextEngineError =>
  new ContextEngineError('PERMISSION.DENIED', {
    message: `The login of this connection may not act as \`${ERASER_ROLE}\`: nothing was forgotten.`,
    fix: `Forget with a login of its own that an administrator ran \`grant ${ERASER_ROLE} to …\` for.`,
    cause,
  });

const toCounts = (counts: unknown): CopyCounts =>
  Object.fromEntries(
    Object.entries(asObject(counts)).map(([copy, count]) => [copy, Number(count)]),
  );

export async function listRedactions(
  database: Database,
  tenant: TenantId,
  { limit, id }: { readonly limit: number; readonly id?: Uuid },
): Promise<readonly Redaction[]> {
  const rows = await inTenant(database, { tenant, scopes: [] }, (tx) =>
    tx.query(
      `select r.redaction_uuid, r.target_kind, r.state, r.principal, r.on_behalf_of,
         r.suppressed_at, r.erase_after, r.erased_at, r.counts
       from context_ops.redactions r
       where r.tenant_id = $1 and ($2::uuid is null or r.redaction_uuid = $2::uuid)
       order by r.suppressed_at desc, r.redaction_uuid limit $3`,
      [tenant, id ?? null, limit],
    ),
  );
  // The casts name what the checks of the table hold.
  return rows.map((row) => ({
    redaction_uuid: row['redaction_uuid'] as Uuid,
    target_kind: row['target_kind'] as TargetKind,
    state: row['state'] as RedactionState,
    principal: asText(row['principal']),
    on_behalf_of: row['on_behalf_of'] as string | null,
    suppressed_at: toTime(row['suppressed_at']),
    erase_after: toTime(row['erase_after']),
    erased_at: row['erased_at'] === null ? null : toTime(row['erased_at']),
    counts: toCounts(row['counts']),
  }));
}
