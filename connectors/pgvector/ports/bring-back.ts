/**
 * Bringing back what was forgotten, within its grace period. A sealed function does it; the words
 * of the rows are made here and given back in the same transaction.
 */
import { builtOn, unfoundedReturn } from '../../../src/ledger/refusals.ts';
import type { BringBackRequest, Redaction, ReturnedVersion } from '../../../src/model/erasure.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import type { NamedOperation } from '../../../src/model/undo.ts';
import { WORD_RULES } from '../../../src/text/bm25.ts';
import { inTenant } from '../driver/session.ts';
import type { Database, SqlSession } from '../driver/sql.ts';
import { postedText } from '../postings.ts';
import { asList, asObject, asText } from '../rows.ts';
import { SEARCHED_COLUMNS, toSearchable } from '../searched-columns.ts';
import { asEraser, toRedaction } from './erasure.ts';

export const bringBack = (database: Database, request: BringBackRequest): Promise<Redaction> =>
  asEraser(database, (tx) => bringBackIn(tx, request));

export async function bringBackIn(
  tx: SqlSession,
  { tenant, ...asked }: BringBackRequest,
): Promise<Redaction> {
  const [row] = await tx.query('select context_ops.bring_back($1, $2::jsonb) as back', [
    tenant,
    JSON.stringify(asked),
  ]);
  const { redaction, epoch, taken, lost } = asObject(row?.['back']);
  // Thrown in the transaction, which ends with it.
  if (Array.isArray(taken)) throw builtOn(asked.redaction, taken.map(toNamed));
  if (lost === true) throw unfoundedReturn(asked.redaction);
  if (typeof epoch === 'number')
    for (const table of TABLES) await returnWords(tx, table, { tenant, epoch });
  return toRedaction(asObject(redaction));
}

/** A uuid each, as the function gives it. */
const toNamed = (given: unknown): NamedOperation => {
  const { operation_id, scope } = asObject(given);
  return { operation_id: asText(operation_id) as Uuid, scope: asText(scope) as Uuid };
};

const TABLES = ['blocks', 'memory_open_set', 'subtree_summaries'] as const;
const PAGE = 1000;

interface Back {
  readonly tenant: TenantId;
  readonly epoch: number;
}

/** In the order of writing; what waits for words of other rules gets them with its scope. */
async function returnWords(
  tx: SqlSession,
  table: (typeof TABLES)[number],
  { tenant, epoch }: Back,
): Promise<void> {
  for (let from = 0; ; from += PAGE) {
    const rows = await tx.query(
      `select r.uuid, r.scope_uuid, r.content, ${SEARCHED_COLUMNS[table]}
       from context_ops.returned b join context.${table} r
         on r.tenant_id = $1 and r.uuid = b.uuid
       where b.tenant_id = $1 and b.policy_epoch = $2 and b.table_name = '${table}'
         and not exists (select from context_ops.word_backlog k where k.tenant_id = $1
           and k.scope_uuid = r.scope_uuid and k.done_seq < r.recorded_seq
           and r.recorded_seq <= k.until_seq)
       order by r.recorded_seq, r.uuid limit $3 offset $4`,
      [tenant, epoch, PAGE, from],
    );
    const texts = rows.flatMap((row) =>
      // Casts: uuid columns.
      postedText({
        ...toSearchable(row),
        scope_uuid: row['scope_uuid'] as Uuid,
        uuid: row['uuid'] as Uuid,
      }),
    );
    if (texts.length > 0)
      await tx.query('select context_ops.return_postings($1, $2, $3::jsonb, $4)', [
        ...[tenant, table],
        JSON.stringify(texts),
        WORD_RULES,
      ]);
    if (rows.length < PAGE) return;
  }
}

export async function readReturned(
  database: Database,
  tenant: TenantId,
  asked: { readonly epoch: number; readonly after: Uuid | null; readonly limit: number },
): Promise<readonly ReturnedVersion[]> {
  const [row] = await inTenant(database, { tenant, scopes: '*' }, (tx) =>
    tx.query(
      `select coalesce(jsonb_agg(to_jsonb(v) order by v.uuid), '[]') as versions from (
         select distinct on (b.uuid) b.uuid, b.scope_uuid as scope, b.root_uuid
         from context_ops.returned b where b.tenant_id = $1 and b.policy_epoch > $2
           and ($3::uuid is null or b.uuid > $3::uuid) order by b.uuid limit $4) v`,
      [tenant, asked.epoch, asked.after, asked.limit],
    ),
  );
  return asList(row?.['versions']).map((given) => {
    const { scope, uuid, root_uuid } = asObject(given);
    // Casts: uuid columns.
    return {
      scope: asText(scope) as Uuid,
      uuid: asText(uuid) as Uuid,
      root_uuid: asText(root_uuid) as Uuid,
    };
  });
}
