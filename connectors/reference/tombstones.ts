/** Texts that were forgotten, by their digests: what brings them again is known. */
import { wordsOfRow } from '../../src/cxri/forgotten-texts.ts';
import type { CompositionReceipt } from '../../src/model/composition.ts';
import { isUuid, type Uuid } from '../../src/model/ids.ts';
import { rekeyed } from './keys.ts';
import type { Slot, TenantState } from './store.ts';

/** Shorter ones are anybody's words; times and ids are nobody's. */
const SHORTEST = 12;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$/;

function textsIn(said: unknown): readonly string[] {
  if (typeof said === 'string')
    return [...said].length < SHORTEST || TIME.test(said) || isUuid(said) ? [] : [said];
  if (typeof said !== 'object' || said === null) return [];
  return Object.values(said).flatMap(textsIn);
}

/** `asked`: receipts whose questions are forgotten themselves. */
export function tombstonesOf(
  tenant: TenantState,
  slots: Iterable<Slot>,
  asked: Iterable<Uuid>,
): ReadonlySet<string> {
  const rows = [...slots].map(({ entry }): unknown => wordsOfRow(entry));
  const requests = [...asked].map((uuid) => tenant.receipts.get(uuid)?.request);
  const said = [...rows, ...requests.map((request) => [request?.query, request?.inputs])];
  return new Set(said.flatMap(textsIn).map((text) => rekeyed(tenant, text) ?? ''));
}

export const saysForgotten = (tenant: TenantState, said: unknown): boolean =>
  tenant.redacted.size > 0 &&
  textsIn(said).some((text) => {
    const digest = rekeyed(tenant, text) ?? '';
    return [...tenant.redacted.values()].some(({ texts }) => texts.has(digest));
  });

/** A receipt that comes after what it served, or was asked with, was forgotten. */
export function lateReceipt(tenant: TenantState, receipt: CompositionReceipt): CompositionReceipt {
  if (tenant.redactions.length === 0) return receipt;
  const { request, items, scope_uuid: scope, created_at: at } = receipt;
  const isGone = (uuid: string | null): boolean =>
    [...tenant.redacted.values()].some(({ slots }) =>
      [...slots].some(({ entry }) => entry.row.uuid === uuid),
    );
  const isLate =
    tenant.redactions.some(
      ({ suppressed_at: first, erased_at: last }) => at <= first || (last !== null && at <= last),
    ) ||
    isGone(scope) ||
    items.some(({ uuid }) => uuid !== null && isGone(uuid)) ||
    saysForgotten(tenant, [request.query, request.inputs]);
  return isLate ? maskedReceipt(receipt) : receipt;
}

export const maskedReceipt = (receipt: CompositionReceipt): CompositionReceipt => ({
  ...receipt,
  request: { ...receipt.request, query: '', inputs: {} },
  warnings: [],
  text_sha256: '',
  is_masked: true,
});
