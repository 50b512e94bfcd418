/** An exported scope comes back as it stood: rows, journal and outcomes. */

import { ContextEngineError } from '../../src/codes/errors.ts';
import { textsForgotten, wordsOfRow } from '../../src/cxri/forgotten-texts.ts';
import {
  type RestoredScope,
  type RestoreRequest,
  restoredBy,
} from '../../src/cxri/ports/history.ts';
import { toEntry } from '../../src/ledger/entry.ts';
import { checkEnds, endsOf, externalEnds } from '../../src/ledger/external-ends.ts';
import { appendAudit } from './audit.ts';
import { rekeyed } from './keys.ts';
import { rememberLost } from './lineage.ts';
import {
  emptyScope,
  insert,
  type Slot,
  type Store,
  type TenantState,
  tenantOf,
  Undo,
} from './store.ts';
import { saysForgotten } from './tombstones.ts';
import { appendUsage } from './usage.ts';

/** The same for all: which ids a tenant has is not disclosed. */
const idsTaken = (scope: string): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', {
    message: `The scope \`${scope}\` or an id of it is taken in this tenant. Nothing was written.`,
    fix: 'Import each scope once, or into another tenant.',
  });

export function restoreScope(store: Store, request: RestoreRequest): void {
  const tenant = tenantOf(store, request.tenant);
  const all = restoredBy(request);
  for (const [index, { history }] of all.entries()) {
    const isTwice = all.findIndex((each) => each.history.scope === history.scope) < index;
    if (isTwice || tenant.scopes.has(history.scope)) throw idsTaken(history.scope);
  }
  checkExternalEnds(tenant, request);
  const undo = new Undo();
  const slots: Slot[] = [];
  try {
    for (const each of all) {
      const { scope, rows } = each.history;
      if (rows.some((entry) => saysForgotten(tenant, wordsOfRow(entry))))
        throw textsForgotten(scope);
      slots.push(...place(tenant, each, undo));
    }
    // What stands though a part of a source is lost was derived after that.
    for (const slot of slots) rememberLost(tenant, slot);
  } catch (error) {
    undo.run();
    throw error;
  }
  appendAudit(
    tenant,
    all.map(({ audit }) => audit),
  );
}

function place(
  tenant: TenantState,
  { history, outcomes }: RestoredScope,
  undo: Undo,
): readonly Slot[] {
  const scope = emptyScope(history.scope);
  tenant.scopes.set(scope.uuid, scope);
  undo.push(() => tenant.scopes.delete(scope.uuid));
  const rows = [...history.rows].sort((a, b) => a.row.recorded_seq - b.row.recorded_seq);
  const slots = rows.map(({ table, row }) => {
    if (tenant.versions.has(row.uuid)) throw idsTaken(scope.uuid);
    return insert(tenant, toEntry(table, row), undo);
  });
  for (const record of history.journal) {
    const digest = rekeyed(tenant, record.payload_digest);
    const entry = { ...record, scope: scope.uuid, payload_digest: digest };
    scope.journal.push(entry);
    if (record.idempotency_key !== null) scope.keys.set(record.idempotency_key, entry);
  }
  for (const { usage_seq: seq, recorded_at: recordedAt, state, ...event } of outcomes)
    appendUsage(scope, { seq, recordedAt, state, event: { ...event, scope_uuid: scope.uuid } });
  scope.head = history.head;
  return slots;
}

function checkExternalEnds(tenant: TenantState, request: RestoreRequest): void {
  const histories = restoredBy(request).map(({ history }) => history);
  const coming = histories.flatMap(({ rows }) => rows);
  const journal = histories.flatMap((history) => history.journal);
  const ends = externalEnds({ rows: coming, journal }, request.recorded_at);
  const found = endsOf(ends).flatMap((uuid) => [
    ...(tenant.roots.get(uuid) ?? []),
    ...(tenant.versions.has(uuid) ? [tenant.versions.get(uuid)] : []),
  ]);
  const there = found.flatMap((slot) => (slot ? [slot.entry] : []));
  checkEnds(ends, { found: [...there, ...coming], held: request.held });
}
