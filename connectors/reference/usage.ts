/** Outcomes: an append-only list per scope, each entry carrying the folded state after it. */

import type { UsageState } from '../../src/cxri/contract.ts';
import type { FoldUsage, UsageEvent } from '../../src/cxri/ports/usage.ts';
import { scopeMissing } from '../../src/ledger/refusals.ts';
import type { LedgerRow } from '../../src/model/block.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import { headOf, type Position } from '../../src/model/validity.ts';
import type { ScopeState, TenantState, UsageEntry } from './store.ts';

/**
 * The state of a row's root as its scope's usage head stood; null = never used, or not asked for.
 */
export function usageAt(
  tenant: TenantState | undefined,
  row: LedgerRow,
  position: Position | undefined,
): UsageState | null {
  const head = position && headOf(position, row.scope_uuid);
  if (head === undefined) return null;
  const entries = tenant?.scopes.get(row.scope_uuid)?.usageOf.get(row.root_uuid) ?? [];
  return entries.findLast((entry) => entry.seq <= head)?.state ?? null;
}

/** All events or none: a scope that is not there, or a fold that throws, records nothing. */
export function recordUsage(
  tenant: TenantState,
  events: readonly UsageEvent[],
  by: { readonly fold: FoldUsage; readonly recordedAt: Instant },
): Position {
  const scopes = new Map<Uuid, ScopeState>();
  const staged: { readonly scope: ScopeState; readonly entry: UsageEntry }[] = [];
  const stateOf = new Map<string, UsageState>();
  for (const event of events) {
    const scope = tenant.scopes.get(event.scope_uuid);
    if (!scope) throw scopeMissing(event.scope_uuid);
    scopes.set(scope.uuid, scope);
    const isSame = (other: UsageEvent): boolean =>
      other.root_uuid === event.root_uuid &&
      other.composition_id === event.composition_id &&
      other.kind === event.kind;
    const recorded = [
      ...(scope.usageOf.get(event.root_uuid) ?? []),
      ...staged.flatMap((each) => (each.scope === scope ? [each.entry] : [])),
    ];
    if (recorded.some((each) => isSame(each.event))) continue;
    const key = `${scope.uuid}/${event.root_uuid}`;
    const state = by.fold(
      stateOf.get(key) ?? scope.usageOf.get(event.root_uuid)?.at(-1)?.state ?? null,
      event,
    );
    stateOf.set(key, state);
    const seq = scope.usage.length + staged.filter((other) => other.scope === scope).length + 1;
    staged.push({ scope, entry: { event, seq, recordedAt: by.recordedAt, state } });
  }
  for (const { scope, entry } of staged) appendUsage(scope, entry);
  return [...scopes.values()].map((scope) => ({ scope: scope.uuid, head: scope.usage.length }));
}

export function appendUsage(scope: ScopeState, entry: UsageEntry): void {
  const root = entry.event.root_uuid;
  scope.usage.push(entry);
  scope.usageOf.set(root, [...(scope.usageOf.get(root) ?? []), entry]);
}
