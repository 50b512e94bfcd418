/** The journal and the outcomes of a scope, as an export reads them. */
import type { JournalRequest } from '../../src/cxri/ports/history.ts';
import type { OutcomeRecord, OutcomesRequest } from '../../src/cxri/ports/usage.ts';
import { sourceOfKey } from '../../src/model/capture-key.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { JournalRecord } from '../../src/model/journal.ts';
import type { ScopeState, Store } from './store.ts';

const scopeOf = (
  store: Store,
  { tenant, scope }: Pick<JournalRequest, 'tenant' | 'scope'>,
): ScopeState | undefined => store.tenants.get(tenant)?.scopes.get(scope);

/** An entry keeps its number; what it was about was forgotten. */
const GONE = {
  operation: 'NOOP',
  table: null,
  uuid: null,
  root_uuid: null,
  outcome: 'stored',
  embedding: 'none',
  reason: 'forgotten',
  idempotency_key: null,
  caused_by: null,
} as const;

export function readJournal(store: Store, request: JournalRequest): readonly JournalRecord[] {
  const { after, head, limit } = request;
  const named = [...(store.tenants.get(request.tenant)?.redacted.values() ?? [])];
  const gone = new Set(
    named.flatMap(({ slots }) => [...slots].map(({ entry }) => entry.row.uuid as Uuid | null)),
  );
  const silent = new Set(named.flatMap(({ reasons }) => [...reasons]));
  return (scopeOf(store, request)?.journal ?? [])
    .filter(({ seq }) => seq <= head)
    .filter(({ seq, ordinal }) => seq > after.seq || (seq === after.seq && ordinal > after.ordinal))
    .slice(0, limit)
    .map(({ scope: _scope, said_again: said, ...record }) => {
      const isGone =
        gone.has(record.uuid ?? record.root_uuid) ||
        (record.outcome === 'duplicate' &&
          sourcesOf(record, said).some((each) => each !== null && gone.has(each)));
      return {
        ...record,
        ...(silent.has(record.operation_id) && { reason: null }),
        ...(isGone && GONE),
        ...(!isGone && said && { said_again: said }),
        payload_digest: null,
      };
    });
}

/** Of what was known already: a turn that said it again is in its key as well. */
const sourcesOf = (
  { idempotency_key: key }: Pick<JournalRecord, 'idempotency_key'>,
  said: JournalRecord['said_again'],
): readonly (Uuid | null)[] => [...(said?.sources ?? []), key === null ? null : sourceOfKey(key)];

export function readOutcomes(store: Store, request: OutcomesRequest): readonly OutcomeRecord[] {
  const { after, head, limit } = request;
  return (scopeOf(store, request)?.usage ?? [])
    .filter(({ seq }) => seq > after && seq <= head)
    .slice(0, limit)
    .map(
      ({ seq, event, state, recordedAt }): OutcomeRecord => ({
        usage_seq: seq,
        root_uuid: event.root_uuid,
        composition_id: event.composition_id,
        kind: event.kind,
        at: event.at,
        state,
        recorded_at: recordedAt,
      }),
    );
}
