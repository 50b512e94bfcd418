/** What a redaction reaches, by the same naming that forgets. */
import type { ReachPort } from '../../src/cxri/ports/reach.ts';
import type { ReachRequest, RedactionReach } from '../../src/model/erasure.ts';
import type { Instant, TenantId, Uuid } from '../../src/model/ids.ts';
import { lapseProposals } from './lapse-proposals.ts';
import {
  digestOf,
  isHeld,
  namedProposals,
  namedReceipts,
  namedSlots,
  reachedRows,
  saysText,
  type Target,
} from './named.ts';
import type { Slot, Store, TenantState } from './store.ts';
import { tenantOf } from './store.ts';

export const reachPort = (store: Store): ReachPort => ({
  reachOf: async (request) => reachOf(tenantOf(store, request.tenant), request),
  reachOfRedaction: async (tenant, redaction) =>
    reachOfRedaction(store, { tenant, redaction, at: null }),
  lapseProposals: async (tenant, at) => lapseProposals(tenantOf(store, tenant), at),
});

/** One thing that is reached, and where it lies; null = in no scope. */
type Found = readonly [copy: string, id: string, scope: Uuid | null];

const ofSlot = ({ entry }: Slot): Found => [entry.table, entry.row.uuid, entry.row.scope_uuid];

function toReach(found: readonly Found[], digest: string, isAll: boolean): RedactionReach {
  const isWhole = isAll || found.some(([, , scope]) => scope === null);
  const counts: Record<string, number> = {};
  for (const copy of new Set(found.map(([each]) => each)))
    counts[copy] = new Set(found.flatMap(([each, id]) => (each === copy ? [id] : []))).size;
  const scopes = new Set(found.flatMap(([, , scope]) => scope ?? []));
  return { scopes: isWhole ? [] : [...scopes].sort(), is_whole: isWhole, counts, digest };
}

function reachOf(tenant: TenantState, request: ReachRequest): RedactionReach {
  const rows = reachedRows(tenant, request);
  const found = [...rows.map(ofSlot), ...copiesOf(tenant, request)];
  return toReach(found, digestOf(rows), request.kind === 'tenant');
}

/** Those that are asked for. */
function copiesOf(tenant: TenantState, request: ReachRequest): readonly Found[] {
  const named = namedSlots(tenant, request);
  return [
    ...(request.has_questions ? questionsOf(tenant, request, named) : []),
    ...(request.has_proposals ? proposalsOf(tenant, request, named) : []),
  ];
}

type NamedSlots = ReturnType<typeof namedSlots>;

function proposalsOf(tenant: TenantState, target: Target, named: NamedSlots): readonly Found[] {
  const { scopes } = target;
  return [...namedProposals(tenant, target, named)].flatMap(
    ([id, { proposal }]): readonly Found[] => {
      const { kind: of, scopes: own } = proposal.action;
      const isOther = of !== 'redaction' && of !== 'return' && tenant.proposals.has(id);
      if (!isOther || !own.every((scope) => isHeld(scopes, scope))) return [];
      if (own.length === 0) return scopes === null ? [['proposals', id, null]] : [];
      return own.map((scope): Found => ['proposals', id, scope]);
    },
  );
}

function questionsOf(tenant: TenantState, target: Target, named: NamedSlots): readonly Found[] {
  const { kind, value, scopes } = target;
  const receipts = namedReceipts(tenant, target, named).flatMap((id): readonly Found[] => {
    const receipt = tenant.receipts.get(id);
    if (!receipt || receipt.is_masked === true) return [];
    return isHeld(scopes, receipt.scope_uuid) ? [['receipts', id, receipt.scope_uuid]] : [];
  });
  const reasons = [...tenant.scopes.values()].flatMap(({ uuid: scope, journal }) =>
    kind === 'text' && isHeld(scopes, scope)
      ? journal
          .filter(({ operation_id: id, uuid, reason }) => {
            const row = uuid === null ? undefined : tenant.versions.get(uuid)?.entry.row;
            const isHidden = [...tenant.redacted.values()].some((each) => each.reasons.has(id));
            return !isHidden && row?.status !== 'suppressed' && saysText(reason, value);
          })
          .map(({ operation_id: id }): Found => ['operations', id, scope])
      : [],
  );
  return [...receipts, ...reasons];
}

/** `at`: null where it is due by then. */
export function reachOfRedaction(
  store: Store,
  asked: { readonly tenant: TenantId; readonly redaction: Uuid; readonly at: Instant | null },
): RedactionReach | null {
  const tenant = tenantOf(store, asked.tenant);
  const redaction = tenant.redactions.find(({ redaction_uuid: id }) => id === asked.redaction);
  if (redaction?.state !== 'suppressed') return null;
  if (asked.at !== null && redaction.erase_after <= asked.at) return null;
  const named = tenant.redacted.get(asked.redaction);
  const slots = [...(named?.slots ?? [])];
  const found: readonly Found[] = [
    ...slots.map(ofSlot),
    ...[...(named?.receipts ?? [])].flatMap((id): readonly Found[] => {
      const receipt = tenant.receipts.get(id);
      return receipt ? [['receipts', id, receipt.scope_uuid]] : [];
    }),
    ...[...(named?.proposals ?? [])].map(
      ([id, { proposal }]): Found => ['proposals', id, proposal.action.scopes[0] ?? null],
    ),
    ...[...tenant.scopes.values()].flatMap(({ uuid: scope, journal }) =>
      journal.flatMap(({ operation_id: id }): readonly Found[] =>
        named?.reasons.has(id) ? [['operations', id, scope]] : [],
      ),
    ),
  ];
  return toReach(found, digestOf(slots), redaction.target_kind === 'tenant');
}
