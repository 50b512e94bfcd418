/** Captures of forgotten turns. Receipts hold no words, so they outlive the turns they are of. */
import type { ForgottenCapturesPort } from '../../../src/cxri/ports/forgotten-captures.ts';
import type { CaptureReceipt } from '../../../src/model/capture.ts';
import { afterPart } from '../../../src/model/capture-key.ts';
import type { Uuid } from '../../../src/model/ids.ts';
import type { HeldScopes } from '../../../src/model/permission.ts';
import { inTenant } from '../driver/session.ts';
import type { Database } from '../driver/sql.ts';
import { asText } from '../rows.ts';

/** All receipts of the tenant are read, as `name_copies` reads all receipts of compositions. */
const RECEIPTS = `
  with gone as materialized (select d.uuid::text as uuid, d.scope_uuid::text as scope, d.copy
    from context_ops.redacted d where d.tenant_id = $1 and d.redaction_uuid = $2)
  select c.receipt from context_ops.captures c
  where c.tenant_id = $1 and c.receipt is not null and exists (
    select from jsonb_array_elements(c.receipt -> 'candidates') e
    where e ->> 'source_uuid' in (select g.uuid from gone g)
      or e ->> 'uuid' in (select g.uuid from gone g)
      or e ->> 'operation_id' = any (array(select jsonb_array_elements_text($3::jsonb)))
      or e ->> 'outcome' = 'duplicate' and e ->> 'uuid' is null and e ->> 'scope_uuid' in (
        select g.scope from gone g where g.copy in ('memory_open_set', 'proposals')))
  order by c.receipt ->> 'captured_at' collate "C", c.from_seq, c.capture_uuid`;

const GONE = `
  select d.uuid from context_ops.redacted d where d.tenant_id = $1 and d.redaction_uuid = $2
    and d.copy in ('blocks', 'memory_open_set', 'memory_schema_typed', 'proposals')`;

const OF_KEYS = `
  select o.operation_id from context_ops.operations o
  where o.tenant_id = $1 and o.scope_uuid = $2 and o.outcome in ('stored', 'superseded')
    and o.idempotency_key = any (array(select jsonb_array_elements_text($3::jsonb)))
  order by o.seq, o.ordinal`;

const AFTER = `
  select o.operation_id, o.scope_uuid from context_ops.operations o
  where o.tenant_id = $1 and o.outcome in ('stored', 'superseded')
    and strpos(o.idempotency_key, $2) > 0
  order by o.recorded_at desc, o.scope_uuid, o.seq desc, o.ordinal desc`;

const scopesOf = (held: HeldScopes): readonly Uuid[] | '*' => (held.all ? '*' : [...held.uuids]);

export const forgottenCapturesPort = (open: () => Database): ForgottenCapturesPort => ({
  forgottenCaptures: (tenant, { redaction, operations = [] }, held) =>
    inTenant(open(), { tenant, scopes: scopesOf(held) }, async (tx) => {
      const named = [tenant, redaction, JSON.stringify(operations)];
      const receipts = await tx.query(RECEIPTS, named);
      const gone = receipts.length === 0 ? [] : await tx.query(GONE, [tenant, redaction]);
      return {
        gone: gone.map((row) => asText(row['uuid']) as Uuid), // a uuid column
        // stored by finishCapture or amendCapture, read back unchanged
        receipts: receipts.map((row) => row['receipt'] as CaptureReceipt),
      };
    }),
  operationsOfKeys: (tenant, { scope, keys }) =>
    inTenant(open(), { tenant, scopes: [scope] }, async (tx) => {
      const rows = await tx.query(OF_KEYS, [tenant, scope, JSON.stringify(keys)]);
      return rows.map((row) => asText(row['operation_id']) as Uuid); // a uuid column
    }),
  operationsAfter: (tenant, redaction, held) =>
    inTenant(open(), { tenant, scopes: scopesOf(held) }, async (tx) => {
      const rows = await tx.query(AFTER, [tenant, afterPart(redaction)]);
      return rows.map((row) => ({
        operation_id: asText(row['operation_id']) as Uuid, // uuid columns
        scope: asText(row['scope_uuid']) as Uuid,
      }));
    }),
  amendCapture: (tenant, { was, receipt }) =>
    inTenant(open(), { tenant, scopes: [was.scope_uuid] }, async (tx) => {
      const rows = await tx.query(
        `update context_ops.captures set receipt = $6::jsonb
         where tenant_id = $1 and scope_uuid = $2 and consumer = $3 and from_seq = $4
           and receipt = $5::jsonb returning from_seq`,
        [
          ...[tenant, was.scope_uuid, was.consumer, was.from_seq],
          ...[JSON.stringify(was), JSON.stringify(receipt)],
        ],
      );
      return rows.length > 0;
    }),
});
