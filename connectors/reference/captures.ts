/** Captures in a map of their tenant, by scope and consumer. */
import { isDeepStrictEqual } from 'node:util';
import type { CaptureProgressPort, SkippedCapture } from '../../src/cxri/ports/capture-progress.ts';
import type {
  CaptureKey,
  CaptureListing,
  CapturesPort,
  FinishedCapture,
  PlannedCapture,
  SplitCapture,
} from '../../src/cxri/ports/captures.ts';
import type { CaptureReceipt } from '../../src/model/capture.ts';
import type { TenantId } from '../../src/model/ids.ts';
import { type HeldScopes, holds } from '../../src/model/permission.ts';
import { type CaptureState, type Store, tenantOf } from './store.ts';

type Of = Pick<PlannedCapture, 'consumer' | 'scope_uuid'>;

const keyOf = ({ consumer, scope_uuid: scope }: Of): string => JSON.stringify([scope, consumer]);

function stateOf(store: Store, tenant: TenantId, of: Of): CaptureState {
  const { captures } = tenantOf(store, tenant);
  const state = captures.get(keyOf(of)) ?? { done: 0, open: null, receipts: [] };
  captures.set(keyOf(of), state);
  return state;
}

function planCapture(
  store: Store,
  tenant: TenantId,
  capture: PlannedCapture,
): PlannedCapture | null {
  const state = stateOf(store, tenant, capture);
  if (state.done !== capture.from_seq - 1) return null;
  state.open ??= structuredClone(capture);
  return structuredClone(state.open);
}

function finishCapture(store: Store, tenant: TenantId, finished: FinishedCapture): CaptureReceipt {
  const state = stateOf(store, tenant, finished);
  const { receipt } = finished;
  if (state.open?.capture_uuid === receipt.capture_uuid) {
    state.done = state.open.to_seq;
    state.open = null;
    state.receipts.unshift(receipt);
  }
  return state.receipts.find(({ capture_uuid: uuid }) => uuid === receipt.capture_uuid) ?? receipt;
}

function splitCapture(
  store: Store,
  tenant: TenantId,
  { plan, rest, receipt, ...of }: SplitCapture,
): boolean {
  const state = stateOf(store, tenant, of);
  const { open } = state;
  if (open?.capture_uuid !== receipt.capture_uuid || !isDeepStrictEqual(open.plan, plan))
    return false;
  state.open = { ...open, ...structuredClone(rest) };
  state.receipts.unshift(receipt);
  return true;
}

function skipCapture(store: Store, tenant: TenantId, skipped: SkippedCapture): void {
  const state = stateOf(store, tenant, skipped);
  if (state.open === null && state.done === skipped.from_seq - 1) state.done = skipped.to_seq;
}

function isLater(a: CaptureKey, b: CaptureKey): boolean {
  if (a.captured_at !== b.captured_at) return a.captured_at > b.captured_at;
  if (a.from_seq !== b.from_seq) return a.from_seq > b.from_seq;
  return a.capture_uuid > b.capture_uuid;
}

function listCaptures(
  store: Store,
  tenant: TenantId,
  { scope_uuid: scope, limit, after, held }: CaptureListing & { readonly held: HeldScopes },
): readonly CaptureReceipt[] {
  if (!holds({ scopes: held }, scope)) return [];
  return [...(store.tenants.get(tenant)?.captures.values() ?? [])]
    .flatMap(({ receipts }) => receipts)
    .filter(({ scope_uuid: of }) => of === scope)
    .filter((each) => after === undefined || isLater(after, each))
    .sort((a, b) => (isLater(a, b) ? -1 : 1))
    .slice(0, limit);
}

export const capturesPort = (store: Store): CapturesPort & CaptureProgressPort => ({
  captureProgress: async (tenant, asked) => stateOf(store, tenant, asked).done,
  progressOfScopes: async (tenant, { consumer, scopes }) =>
    [...new Set(scopes)].flatMap((scope_uuid) => {
      const { done } = stateOf(store, tenant, { consumer, scope_uuid });
      return done > 0 ? [{ scope_uuid, done_seq: done }] : [];
    }),
  planCapture: async (tenant, capture) => planCapture(store, tenant, capture),
  openCapture: async (tenant, asked) => structuredClone(stateOf(store, tenant, asked).open),
  finishCapture: async (tenant, finished) => finishCapture(store, tenant, finished),
  splitCapture: async (tenant, split) => splitCapture(store, tenant, split),
  skipCapture: async (tenant, skipped) => skipCapture(store, tenant, skipped),
  listCaptures: async (tenant, asked, held) => listCaptures(store, tenant, { ...asked, held }),
});
