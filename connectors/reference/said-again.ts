/** When versions were said again, read from the journal of their scope each time. */
import { WITHDRAWING } from '../../src/ledger/withdrawal.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import type { ScopeState, Slot, TenantState } from './store.ts';

/** Of the version, and of the longer ones that it was cut from; by statements that stand. */
export function saidAgainOf(
  tenant: TenantState,
  scope: ScopeState | undefined,
  version: Uuid,
): readonly Instant[] {
  const wholes = new Set<Uuid | null>();
  for (let at: Uuid | null = version; at !== null; ) {
    wholes.add(at);
    at = tenant.versions.get(at)?.entry.row.recut_of ?? null;
  }
  return (scope?.journal ?? []).flatMap(({ uuid, said_again: said }) =>
    said && wholes.has(uuid) && said.sources.every((each) => stands(tenant.versions.get(each)))
      ? [said.from]
      : [],
  );
}

const stands = (source: Slot | undefined): boolean => {
  if (source === undefined) return false;
  const { status, retired_seq: gone, cause } = source.entry.row;
  return status === 'live' && (gone === null || !WITHDRAWING.has(cause));
};
