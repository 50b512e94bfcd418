/**
 * Outcomes: appended with the state folded so far, under the scope's lock, so that the state at any
 * usage position is one row.
 */

import { assertThat } from '../../../src/codes/errors.ts';
import type { UsageState } from '../../../src/cxri/contract.ts';
import type { FoldUsage, UsageEvent } from '../../../src/cxri/ports/usage.ts';
import { scopeMissing } from '../../../src/ledger/refusals.ts';
import type { Instant, TenantId } from '../../../src/model/ids.ts';
import type { Position } from '../../../src/model/validity.ts';
import { setTenancy } from '../driver/session.ts';
import type { Database, SqlSession } from '../driver/sql.ts';
import { toUsage } from '../query.ts';
import { isConflict, toWriteError } from '../refusals.ts';
import { asText } from '../rows.ts';

export interface UsageRecord {
  readonly tenant: TenantId;
  readonly events: readonly UsageEvent[];
  readonly fold: FoldUsage;
  readonly recordedAt: Instant;
}

export async function recordUsage(database: Database, record: UsageRecord): Promise<Position> {
  if (record.events.length === 0) return [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction((tx) => recordOnce(tx, record));
    } catch (error) {
      if (!isConflict(error) || attempt === 3) throw toWriteError(error);
    }
  }
}

const keyOf = (event: Pick<UsageEvent, 'scope_uuid' | 'root_uuid'>): string =>
  `${event.scope_uuid}/${event.root_uuid}`;

async function recordOnce(
  tx: SqlSession,
  { tenant, events, fold, recordedAt }: UsageRecord,
): Promise<Position> {
  const scopes = [...new Set(events.map((event) => event.scope_uuid))];
  await setTenancy(tx, { tenant, scopes: '*' });
  const locked = await tx.query(
    'select scope_uuid, usage_head from context_ops.scope_heads where tenant_id = $1 and ' +
      'scope_uuid = any (array(select jsonb_array_elements_text($2::jsonb)::uuid)) order by ' +
      'scope_uuid for update',
    [tenant, JSON.stringify(scopes)],
  );
  const heads = new Map(
    locked.map((row) => [asText(row['scope_uuid']), Number(row['usage_head'])]),
  );
  const states = await statesOf(tx, tenant, events);
  const isRecorded = await recordedOf(tx, tenant, events);
  const rows = events.flatMap((event) => {
    if (isRecorded(event)) return [];
    const head = heads.get(event.scope_uuid);
    if (head === undefined) throw scopeMissing(event.scope_uuid);
    const state = fold(states.get(keyOf(event)) ?? null, event);
    heads.set(event.scope_uuid, head + 1);
    states.set(keyOf(event), state);
    return [{ tenant_id: tenant, usage_seq: head + 1, state, recorded_at: recordedAt, ...event }];
  });
  const position = scopes.map((scope) => {
    const head = heads.get(scope);
    assertThat(head !== undefined, 'a scope that was recorded has a usage head');
    return { scope, head };
  });
  if (rows.length === 0) return position;
  await tx.query(
    `with moved as (
       update context_ops.scope_heads h set usage_head = k.head
       from jsonb_to_recordset($2::jsonb) k(scope uuid, head bigint)
       where h.tenant_id = $1 and h.scope_uuid = k.scope)
     insert into context_ops.usage_events (${COLUMNS})
     select ${COLUMNS} from jsonb_populate_recordset(null::context_ops.usage_events, $3::jsonb)`,
    [tenant, JSON.stringify(position), JSON.stringify(rows)],
  );
  return position;
}

const COLUMNS =
  'tenant_id, scope_uuid, usage_seq, root_uuid, composition_id, kind, at, state, recorded_at';

/** Rows of `usage_events`, all columns, of a scope that this transaction restores. */
export async function insertOutcomes(tx: SqlSession, rows: readonly object[]): Promise<void> {
  await tx.query(
    `insert into context_ops.usage_events (${COLUMNS})
     select ${COLUMNS} from jsonb_populate_recordset(null::context_ops.usage_events, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}

/**
 * Whether an event is there already, also earlier in the call; each that is asked for counts as
 * there from then on.
 */
async function recordedOf(
  tx: SqlSession,
  tenant: TenantId,
  events: readonly UsageEvent[],
): Promise<(event: UsageEvent) => boolean> {
  const rows = await tx.query(
    `select u.scope_uuid, u.root_uuid, u.composition_id, u.kind from context_ops.usage_events u
     where u.tenant_id = $1 and (u.scope_uuid, u.composition_id) in (
       select k.scope, k.composition from jsonb_to_recordset($2::jsonb) k(scope uuid,
       composition uuid))`,
    [
      tenant,
      JSON.stringify(
        events.map(({ scope_uuid: scope, composition_id: composition }) => ({
          scope,
          composition,
        })),
      ),
    ],
  );
  const name = (of: Readonly<Record<string, unknown>>): string =>
    [of['scope_uuid'], of['root_uuid'], of['composition_id'], of['kind']].join();
  const known = new Set(rows.map(name));
  return (event) => {
    const key = name({ ...event });
    if (known.has(key)) return true;
    known.add(key);
    return false;
  };
}

/** The last state of each root that the events speak of. */
async function statesOf(
  tx: SqlSession,
  tenant: TenantId,
  events: readonly UsageEvent[],
): Promise<Map<string, UsageState>> {
  const asked = new Map(
    events.map((event) => [keyOf(event), { scope: event.scope_uuid, root: event.root_uuid }]),
  );
  const rows = await tx.query(
    `select k.scope, k.root, u.state from jsonb_to_recordset($2::jsonb) k(scope uuid, root uuid)
      cross join lateral (
       select e.state from context_ops.usage_events e where e.tenant_id = $1
       and e.scope_uuid = k.scope and e.root_uuid = k.root order by e.usage_seq desc limit 1) u`,
    [tenant, JSON.stringify([...asked.values()])],
  );
  return new Map(
    rows.map((row) => [`${asText(row['scope'])}/${asText(row['root'])}`, toUsage(row['state'])]),
  );
}
