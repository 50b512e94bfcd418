/** Calls of a model: whoever reserves holds the lock of the day's budget until it is reserved. */
import type {
  CostsAsked,
  ExtractionAnswer,
  ExtractionRequest,
  ExtractionsPort,
  Reservation,
} from '../../../src/cxri/ports/extractions.ts';
import type { CandidateSpan } from '../../../src/model/capture.ts';
import type { CostRecord, Extraction, ExtractionKey } from '../../../src/model/extraction.ts';
import type { TenantId, Uuid } from '../../../src/model/ids.ts';
import { inTenant } from '../driver/session.ts';
import type { Database, SqlParam, SqlRow } from '../driver/sql.ts';
import { asList, asText, toTime } from '../rows.ts';
import { heldOf, isNone, within } from './readable.ts';

const KEY = 'tenant_id = $1 and scope_uuid = $2 and consumer = $3 and from_seq = $4';
const keyOf = (tenant: TenantId, { scope_uuid, consumer, from_seq }: ExtractionKey) =>
  [tenant, scope_uuid, consumer, from_seq] as const;

async function extractionsOf(
  database: Database,
  tenant: TenantId,
  of: ExtractionKey,
): Promise<readonly Extraction[]> {
  const rows = await inTenant(database, { tenant, scopes: [of.scope_uuid] }, (tx) =>
    tx.query(
      `select attempt, to_seq, state, segments, answer, asked_until from context_ops.extractions
       where ${KEY} order by attempt`,
      [...keyOf(tenant, of)],
    ),
  );
  const { consumer, scope_uuid, from_seq } = of;
  return rows.map((row) => ({ consumer, scope_uuid, from_seq, ...toExtraction(row) }));
}

/** The casts name what the checks of the table hold, and what `reserveExtraction` kept. */
const toExtraction = (row: SqlRow): Omit<Extraction, keyof ExtractionKey> => ({
  attempt: Number(row['attempt']),
  to_seq: Number(row['to_seq']),
  state: row['state'] as Extraction['state'],
  segments: asList(row['segments']) as readonly CandidateSpan[],
  answer: row['answer'] as string | null,
  asked_until: toTime(row['asked_until']),
});

async function reserveExtraction(
  database: Database,
  tenant: TenantId,
  request: ExtractionRequest,
): Promise<Reservation> {
  const { scope_uuid: scope, manifest, day, most_usd: usd, cap_usd: cap } = request;
  const budget = [tenant, scope, manifest, day];
  return inTenant(database, { tenant, scopes: [scope] }, async (tx): Promise<Reservation> => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 35))', [
      JSON.stringify(budget),
    ]);
    const [row] = await tx.query(
      `select coalesce(sum(usd), 0) as spent from context_ops.extractions
       where tenant_id = $1 and scope_uuid = $2 and manifest = $3 and day = $4::date`,
      budget,
    );
    const spent = Number(row?.['spent']);
    if (spent + usd > cap) return { outcome: 'over', spent_usd: spent };
    const added = await tx.query(
      `insert into context_ops.extractions (tenant_id, scope_uuid, consumer, from_seq, attempt,
         to_seq, segments, manifest, model, day, usd, asked_at, asked_until)
       values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10::date, $11, $12::timestamptz,
         $13::timestamptz) on conflict do nothing returning attempt`,
      [
        ...keyOf(tenant, request),
        request.attempt,
        request.to_seq,
        JSON.stringify(request.segments),
        manifest,
        request.model,
        day,
        usd,
        request.asked_at,
        request.asked_until,
      ],
    );
    return { outcome: added.length === 1 ? 'reserved' : 'taken' };
  });
}

async function settleExtraction(
  database: Database,
  tenant: TenantId,
  {
    attempt,
    state,
    answer,
    usd,
    input_tokens: input,
    output_tokens: output,
    ...of
  }: ExtractionAnswer,
): Promise<void> {
  await inTenant(database, { tenant, scopes: [of.scope_uuid] }, (tx) =>
    tx.query(
      `update context_ops.extractions set state = $6, answer = $7, usd = $8, input_tokens = $9,
         output_tokens = $10 where ${KEY} and attempt = $5 and state = 'asked'`,
      [...keyOf(tenant, of), attempt, state, answer, usd, input, output],
    ),
  );
}

async function dropAnswers(database: Database, tenant: TenantId, of: ExtractionKey): Promise<void> {
  await inTenant(database, { tenant, scopes: [of.scope_uuid] }, (tx) =>
    tx.query(
      `update context_ops.extractions set answer = null where ${KEY} and answer is not null`,
      [...keyOf(tenant, of)],
    ),
  );
}

async function listCosts(
  database: Database,
  tenant: TenantId,
  { scopes, from_day: from, to_day: to, limit }: CostsAsked,
): Promise<readonly CostRecord[]> {
  if (isNone(scopes)) return [];
  const values: SqlParam[] = [tenant, from, to, limit];
  const isOf = within(scopes, (value) => `$${values.push(value)}`);
  const rows = await inTenant(database, { tenant, scopes: heldOf(scopes) }, (tx) =>
    tx.query(
      `select scope_uuid, manifest, to_char(day, 'YYYY-MM-DD') as day, model, count(*) as calls,
         sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(usd) as usd
       from context_ops.extractions
       where tenant_id = $1 and day between $2::date and $3::date and ${isOf('scope_uuid')}
       group by scope_uuid, manifest, extractions.day, model
       order by extractions.day desc, scope_uuid, manifest, model limit $4`,
      values,
    ),
  );
  return rows.map((row) => ({
    scope_uuid: asText(row['scope_uuid']) as Uuid, // a uuid column
    manifest: asText(row['manifest']),
    day: asText(row['day']),
    model: asText(row['model']),
    calls: Number(row['calls']),
    input_tokens: Number(row['input_tokens']),
    output_tokens: Number(row['output_tokens']),
    usd: Number(row['usd']),
  }));
}

export const extractionsPort = (open: () => Database): ExtractionsPort => ({
  extractionsOf: async (tenant, of) => extractionsOf(open(), tenant, of),
  reserveExtraction: async (tenant, request) => reserveExtraction(open(), tenant, request),
  settleExtraction: async (tenant, answer) => settleExtraction(open(), tenant, answer),
  dropAnswers: async (tenant, of) => dropAnswers(open(), tenant, of),
  listCosts: async (tenant, asked) => listCosts(open(), tenant, asked),
});
