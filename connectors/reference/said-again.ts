/** When versions were said again, read from the journal of their scope each time. */
import { WITHDRAWING } from '../../src/ledger/withdrawal.ts';
import type { Instant, Uuid } from '../../src/model/ids.ts';
import type { ScopeState, Slot, TenantState } from './store.ts';

/** Of the version, and of all that was cut from, or copied of, the same; by what stands. */
export function saidAgainOf(
  tenant: TenantState,
  scope: ScopeState | undefined,
  version: Uuid,
): readonly Instant[] {
  const whole = firstOf(tenant, version);
  return (scope?.journal ?? []).flatMap(({ uuid, said_again: said }) =>
    uuid !== null &&
    said &&
    firstOf(tenant, uuid) === whole &&
    said.sources.every((each) => stands(tenant.versions.get(each)))
      ? [said.from]
      : [],
  );
}

function firstOf(tenant: TenantState, version: Uuid): Uuid {
  const before = tenant.versions.get(version)?.entry.row.recut_of ?? null;
  return before === null ? version : firstOf(tenant, before);
}

const stands = (source: Slot | undefined): boolean => {
  if (source === undefined) return false;
  const { status, retired_seq: gone, cause } = source.entry.row;
  return status === 'live' && (gone === null || !WITHDRAWING.has(cause));
};
