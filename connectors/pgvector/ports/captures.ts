/**
 * Captures: the row of the progress is the lock. Whoever plans or finishes holds it until the end
 * of the transaction, so that two workers carry out one plan.
 */
import type {
  CaptureProgressPort,
  ScopeProgress,
  ScopesOfConsumer,
  SkippedCapture,
} from '../../../src/cxri/ports/capture-progress.ts';
import type {
  CaptureListing,
  CapturesPort,
  FinishedCapture,
  PlannedCapture,
  SplitCapture,
} from '../../../src/cxri/ports/captures.ts';
import type { CaptureReceipt } from '../../../src/model/capture.ts';
import type { Instant, TenantId, Uuid } from '../../../src/model/ids.ts';
import type { HeldScopes } from '../../../src/model/permission.ts';
import { inTenant } from '../driver/session.ts';
import type { Database, SqlRow, SqlSession } from '../driver/sql.ts';
import { asText, toTime } from '../rows.ts';

type Of = Pick<PlannedCapture, 'consumer' | 'scope_uuid'>;

async function captureProgress(
  database: Database,
  tenant: TenantId,
  { consumer, scope_uuid: scope }: Of,
): Promise<number> {
  const [row] = await inTenant(database, { tenant, scopes: [scope] }, (tx) =>
    tx.query(
      'select done_seq from context_ops.progress where tenant_id = $1 and consumer = $2 and ' +
        'scope_uuid = $3',
      [tenant, consumer, scope],
    ),
  );
  return row ? Number(row['done_seq']) : 0;
}

async function progressOfScopes(
  database: Database,
  tenant: TenantId,
  { consumer, scopes }: ScopesOfConsumer,
): Promise<readonly ScopeProgress[]> {
  if (scopes.length === 0) return [];
  // The policies would compare each row with each scope: 1.3 s of 2,000; 0.1 s by the key.
  const rows = await inTenant(database, { tenant, scopes: '*' }, (tx) =>
    tx.query(
      'select scope_uuid, done_seq from context_ops.progress where tenant_id = $1 and ' +
        'consumer = $2 and scope_uuid = any($3::uuid[]) and done_seq > 0',
      [tenant, consumer, `{${scopes.join(',')}}`],
    ),
  );
  return rows.map((row) => ({
    scope_uuid: asText(row['scope_uuid']) as Uuid, // a uuid column
    done_seq: Number(row['done_seq']),
  }));
}

async function lockProgress(
  tx: SqlSession,
  tenant: TenantId,
  { consumer, scope_uuid: scope, at }: Of & { readonly at: Instant },
): Promise<number> {
  const key = [tenant, consumer, scope];
  await tx.query(
    `insert into context_ops.progress (tenant_id, consumer, scope_uuid, moved_at)
     values ($1, $2, $3, $4::timestamptz) on conflict do nothing`,
    [...key, at],
  );
  const [row] = await tx.query(
    'select done_seq from context_ops.progress where tenant_id = $1 and consumer = $2 and ' +
      'scope_uuid = $3 for update',
    key,
  );
  return Number(row?.['done_seq']);
}

const moveProgress = (
  tx: SqlSession,
  tenant: TenantId,
  to: Of & { readonly to_seq: number; readonly at: Instant },
): Promise<unknown> =>
  tx.query(
    `update context_ops.progress set done_seq = greatest(done_seq, $4), moved_at = $5::timestamptz
     where tenant_id = $1 and consumer = $2 and scope_uuid = $3`,
    [tenant, to.consumer, to.scope_uuid, to.to_seq, to.at],
  );

const OPEN = `select capture_uuid, from_seq, to_seq, plan, planned_at from context_ops.captures
  where tenant_id = $1 and consumer = $2 and scope_uuid = $3 and receipt is null`;

const toPlanned = ({ consumer, scope_uuid }: Of, row: SqlRow): PlannedCapture => ({
  capture_uuid: asText(row['capture_uuid']) as Uuid, // a uuid column
  scope_uuid,
  consumer,
  from_seq: Number(row['from_seq']),
  to_seq: Number(row['to_seq']),
  plan: row['plan'],
  planned_at: toTime(row['planned_at']),
});

async function openCapture(
  database: Database,
  tenant: TenantId,
  of: Of,
): Promise<PlannedCapture | null> {
  const [row] = await inTenant(database, { tenant, scopes: [of.scope_uuid] }, (tx) =>
    tx.query(`${OPEN} order by from_seq limit 1`, [tenant, of.consumer, of.scope_uuid]),
  );
  return row ? toPlanned(of, row) : null;
}

async function planCapture(
  database: Database,
  tenant: TenantId,
  capture: PlannedCapture,
): Promise<PlannedCapture | null> {
  const { consumer, scope_uuid: scope, from_seq: from, to_seq: to, planned_at: at } = capture;
  return inTenant(database, { tenant, scopes: [scope] }, async (tx) => {
    const done = await lockProgress(tx, tenant, { consumer, scope_uuid: scope, at });
    if (done !== from - 1) return null;
    await tx.query(
      `insert into context_ops.captures (tenant_id, scope_uuid, consumer, from_seq, to_seq,
        capture_uuid, plan, planned_at)
       values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::timestamptz) on conflict do nothing`,
      [tenant, scope, consumer, from, to, capture.capture_uuid, JSON.stringify(capture.plan), at],
    );
    const [row] = await tx.query(`${OPEN} and from_seq = $4`, [tenant, consumer, scope, from]);
    return row ? toPlanned(capture, row) : null;
  });
}

async function finishCapture(
  database: Database,
  tenant: TenantId,
  { receipt, ...of }: FinishedCapture,
): Promise<CaptureReceipt> {
  const { consumer, scope_uuid: scope, from_seq: from } = of;
  const key = [tenant, scope, consumer, from, receipt.capture_uuid];
  return inTenant(database, { tenant, scopes: [scope] }, async (tx) => {
    const at = receipt.captured_at;
    await lockProgress(tx, tenant, { consumer, scope_uuid: scope, at });
    const [row] = await tx.query(
      `update context_ops.captures set receipt = $6::jsonb, plan = null
       where tenant_id = $1 and scope_uuid = $2 and consumer = $3 and from_seq = $4
       and capture_uuid = $5 and receipt is null
       returning to_seq`,
      [...key, JSON.stringify(receipt)],
    );
    if (row) {
      const to_seq = Number(row['to_seq']);
      await moveProgress(tx, tenant, { consumer, scope_uuid: scope, to_seq, at });
      return receipt;
    }
    const [kept] = await tx.query(
      'select receipt from context_ops.captures where tenant_id = $1 and scope_uuid = $2 and ' +
        'consumer = $3 and from_seq = $4 and capture_uuid = $5',
      key,
    );
    // stored above, read back unchanged
    return kept ? (kept['receipt'] as CaptureReceipt) : receipt;
  });
}

/** The open part becomes the next one, and its receipt the one before it. */
async function splitCapture(
  database: Database,
  tenant: TenantId,
  { receipt, plan, rest, ...of }: SplitCapture,
): Promise<boolean> {
  const { consumer, scope_uuid: scope, from_seq: from } = of;
  const key = [tenant, scope, consumer, from];
  return inTenant(database, { tenant, scopes: [scope] }, async (tx) => {
    const at = receipt.captured_at;
    await lockProgress(tx, tenant, { consumer, scope_uuid: scope, at });
    const [open] = await tx.query(
      `update context_ops.captures set plan = $7::jsonb, capture_uuid = $8, part = part + 1
       where tenant_id = $1 and scope_uuid = $2 and consumer = $3 and from_seq = $4
         and capture_uuid = $5 and receipt is null and plan = $6::jsonb
       returning to_seq, planned_at, part - 1 as part`,
      [
        ...[...key, receipt.capture_uuid, JSON.stringify(plan)],
        ...[JSON.stringify(rest.plan), rest.capture_uuid],
      ],
    );
    if (!open) return false;
    const kept = [Number(open['to_seq']), receipt.capture_uuid, JSON.stringify(receipt)];
    await tx.query(
      `insert into context_ops.captures (tenant_id, scope_uuid, consumer, from_seq, to_seq,
        capture_uuid, receipt, planned_at, part)
       values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::timestamptz, $9)`,
      [...key, ...kept, toTime(open['planned_at']), Number(open['part'])],
    );
    return true;
  });
}

async function skipCapture(
  database: Database,
  tenant: TenantId,
  skipped: SkippedCapture,
): Promise<void> {
  const { consumer, scope_uuid: scope, from_seq: from } = skipped;
  await inTenant(database, { tenant, scopes: [scope] }, async (tx) => {
    const done = await lockProgress(tx, tenant, skipped);
    const open = await tx.query(`${OPEN} limit 1`, [tenant, consumer, scope]);
    if (done === from - 1 && open.length === 0) await moveProgress(tx, tenant, skipped);
  });
}

/** Times of receipts are texts of one length: as texts they are in the order of time. */
const LIST = `
  select receipt from (
    select receipt, receipt ->> 'captured_at' collate "C" as captured_at, from_seq, capture_uuid
    from context_ops.captures
    where tenant_id = $1 and scope_uuid = $2 and receipt is not null) c
  where $4::text is null
    or (captured_at, from_seq, capture_uuid) < ($4::text collate "C", $5::bigint, $6::uuid)
  order by captured_at desc, from_seq desc, capture_uuid desc limit $3`;

async function listCaptures(
  database: Database,
  tenant: TenantId,
  { scope_uuid: scope, limit, after, held }: CaptureListing & { readonly held: HeldScopes },
): Promise<readonly CaptureReceipt[]> {
  if (!held.all && !held.uuids.has(scope)) return [];
  const rows = await inTenant(database, { tenant, scopes: [scope] }, (tx) =>
    tx.query(LIST, [
      tenant,
      scope,
      limit,
      after?.captured_at ?? null,
      after?.from_seq ?? null,
      after?.capture_uuid ?? null,
    ]),
  );
  // stored by finishCapture, read back unchanged
  return rows.map((row) => row['receipt'] as CaptureReceipt);
}

export const capturesPort = (open: () => Database): CapturesPort & CaptureProgressPort => ({
  captureProgress: async (tenant, asked) => captureProgress(open(), tenant, asked),
  progressOfScopes: async (tenant, asked) => progressOfScopes(open(), tenant, asked),
  planCapture: async (tenant, capture) => planCapture(open(), tenant, capture),
  openCapture: async (tenant, asked) => openCapture(open(), tenant, asked),
  finishCapture: async (tenant, finished) => finishCapture(open(), tenant, finished),
  splitCapture: async (tenant, split) => splitCapture(open(), tenant, split),
  skipCapture: async (tenant, skipped) => skipCapture(open(), tenant, skipped),
  listCaptures: async (tenant, asked, held) => listCaptures(open(), tenant, { ...asked, held }),
});
