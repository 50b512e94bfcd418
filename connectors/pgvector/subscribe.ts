/**
 * Subscribe: polls the journal by position, so that nothing is lost however long the listener was
 * away.
 */
import type {
  Change,
  ChangeFilter,
  ChangeListener,
  Subscription,
} from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { headOf } from '../../src/model/validity.ts';
import { isLoss } from './driver/database.ts';
import { inTenant } from './driver/session.ts';
import type { Database, SqlRow } from './driver/sql.ts';
import { asTable, asText } from './rows.ts';

/** Journal rows of a scope read at once. */
const BATCH = 200;

export interface SubscribeOptions {
  readonly pollMs: number;
  /**
   * Called with a function that wakes the poll: own writes need not wait for the next one. Returns
   * what undoes it.
   */
  readonly onCommit: (wake: () => void) => () => void;
}

export async function subscribe(
  database: Database,
  filter: ChangeFilter,
  options: SubscribeOptions & { readonly listener: ChangeListener },
): Promise<Subscription> {
  const reached = await startOf(database, filter);
  let isOpen = true;
  let ring = (): void => {};
  const undo = options.onCommit(() => ring());
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, options.pollMs);
      timer.unref();
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (isOpen) {
      const woken = rest();
      const changes = await changesAfter(database, filter, reached).catch((error: unknown) => {
        // A server that restarts does not end a subscription: nothing is lost, so the next poll
        // resumes.
        if (isLoss(error)) return [];
        throw error;
      });
      for (const [scope, own] of byScope(changes)) {
        if (!isOpen) return;
        await options.listener(own);
        reached.set(scope, own.at(-1)?.seq ?? 0);
      }
      if (changes.length === 0 && isOpen) await woken;
    }
  };
  const ended = run().finally(undo);
  // Whoever wants to know why it stopped awaits `ended`; that no one does must not end the process.
  ended.catch(() => {});
  return {
    ended,
    [Symbol.asyncDispose]: async () => {
      isOpen = false;
      ring();
      await ended.catch(() => {});
    },
  };
}

async function startOf(
  database: Database,
  { tenant, scopes, after }: ChangeFilter,
): Promise<Map<Uuid, number>> {
  if (after) return new Map(scopes.map((scope) => [scope, headOf(after, scope) ?? 0]));
  const rows = await inTenant(database, { tenant, scopes }, (tx) =>
    tx.query('select scope_uuid, head from context_ops.scope_heads where tenant_id = $1', [tenant]),
  );
  const heads = new Map(rows.map((row) => [asText(row['scope_uuid']), Number(row['head'])]));
  return new Map(scopes.map((scope) => [scope, heads.get(scope) ?? 0]));
}

/** Whole sequence numbers only: a restored scope has several rows of one. */
async function changesAfter(
  database: Database,
  { tenant, scopes }: ChangeFilter,
  reached: ReadonlyMap<Uuid, number>,
): Promise<readonly Change[]> {
  const from = [...reached].map(([scope, seq]) => ({ scope, seq }));
  const rows = await inTenant(database, { tenant, scopes }, (tx) =>
    tx.query(
      `select o.scope_uuid, o.seq, o.operation, o.table_name, o.uuid, o.root_uuid
       from jsonb_to_recordset($2::jsonb) k(scope uuid, seq bigint) cross join lateral (
         select * from context_ops.operations j where j.tenant_id = $1 and j.scope_uuid = k.scope
         and j.seq > k.seq order by j.seq fetch first ${BATCH} rows with ties) o
       order by o.scope_uuid, o.seq, o.ordinal`,
      [tenant, JSON.stringify(from)],
    ),
  );
  return rows.map(toChange);
}

/** Uuid and text columns, checked by the table. */
const toChange = (row: SqlRow): Change => ({
  scope: row['scope_uuid'] as Uuid,
  seq: Number(row['seq']),
  operation: asText(row['operation']),
  table: row['table_name'] === null ? null : asTable(row['table_name']),
  uuid: row['uuid'] as Uuid | null,
  root_uuid: row['root_uuid'] as Uuid | null,
});

function byScope(changes: readonly Change[]): ReadonlyMap<Uuid, readonly Change[]> {
  const groups = new Map<Uuid, Change[]>();
  for (const change of changes)
    groups.set(change.scope, [...(groups.get(change.scope) ?? []), change]);
  return groups;
}
