/** Captures of forgotten turns, by a walk over all receipts and all of the journal. */
import { isDeepStrictEqual } from 'node:util';
import type {
  ForgottenAsked,
  ForgottenCaptures,
  ForgottenCapturesPort,
} from '../../src/cxri/ports/forgotten-captures.ts';
import { afterPart } from '../../src/model/capture-key.ts';
import type { TenantId, Uuid } from '../../src/model/ids.ts';
import { type HeldScopes, holds } from '../../src/model/permission.ts';
import { type JournalEntry, type Store, tenantOf } from './store.ts';

function forgottenCaptures(
  store: Store,
  tenant: TenantId,
  { redaction, operations = [], held }: ForgottenAsked & { readonly held: HeldScopes },
): ForgottenCaptures {
  const { redacted, captures } = tenantOf(store, tenant);
  const named = redacted.get(redaction);
  const rows = [...(named?.slots ?? [])].map(({ entry }) => entry);
  const proposals = [...(named?.proposals.values() ?? [])].map(({ proposal }) => proposal);
  const gone = new Set<Uuid | null>([
    ...rows.map(({ row }) => row.uuid),
    ...proposals.map(({ proposal_uuid: uuid }) => uuid),
  ]);
  const beside = new Set<Uuid | null>([
    ...rows.flatMap(({ table, row }) => (table === 'memory_open_set' ? [row.scope_uuid] : [])),
    ...proposals.flatMap(({ action }) => action.scopes),
  ]);
  const receipts = [...captures.values()]
    .flatMap((each) => each.receipts)
    .filter(({ scope_uuid: scope }) => holds({ scopes: held }, scope))
    .filter(({ candidates }) =>
      candidates.some(
        ({ source_uuid: source, outcome, uuid, scope_uuid: scope, operation_id: operation }) =>
          gone.has(source) ||
          (operation !== null && operations.includes(operation)) ||
          (uuid !== null && gone.has(uuid)) ||
          (outcome === 'duplicate' && uuid === null && scope !== null && beside.has(scope)),
      ),
    )
    .sort((a, b) => (a.captured_at < b.captured_at ? -1 : 1) || a.from_seq - b.from_seq);
  const versions = [...gone].filter((uuid) => uuid !== null);
  return { gone: receipts.length === 0 ? [] : versions, receipts };
}

const isStored = ({ outcome }: JournalEntry): boolean =>
  outcome === 'stored' || outcome === 'superseded';

export const forgottenCapturesPort = (store: Store): ForgottenCapturesPort => ({
  forgottenCaptures: async (tenant, asked, held) =>
    forgottenCaptures(store, tenant, { ...asked, held }),
  operationsOfKeys: async (tenant, { scope, keys }) => {
    const { keys: byKey } = tenantOf(store, tenant).scopes.get(scope) ?? { keys: new Map() };
    return keys
      .flatMap((key): readonly JournalEntry[] => byKey.get(key) ?? [])
      .filter(isStored)
      .sort((a, b) => a.seq - b.seq)
      .map(({ operation_id: id }) => id);
  },
  operationsAfter: async (tenant, redaction, held) =>
    [...tenantOf(store, tenant).scopes.values()]
      .filter(({ uuid }) => holds({ scopes: held }, uuid))
      .flatMap(({ keys }) => [...keys])
      .filter(([key, entry]) => key.includes(afterPart(redaction)) && isStored(entry))
      .map(([, entry]) => entry)
      .sort((a, b) => (a.recorded_at > b.recorded_at ? -1 : 1) || b.seq - a.seq)
      .map(({ operation_id, scope }) => ({ operation_id, scope })),
  amendCapture: async (tenant, { was, receipt }) => {
    for (const { receipts } of tenantOf(store, tenant).captures.values()) {
      const at = receipts.findIndex(({ capture_uuid: uuid }) => uuid === was.capture_uuid);
      if (at < 0 || !isDeepStrictEqual(receipts[at], was)) continue;
      receipts[at] = receipt;
      return true;
    }
    return false;
  },
});
