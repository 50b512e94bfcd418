/** A proposal of what was forgotten waits for nobody. */
import { ContextEngineError } from '../../src/codes/errors.ts';
import type { Uuid } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';
import type { TenantState } from './store.ts';

/** A root counts as forgotten where no version of it is left. */
export function checkForgotten(tenant: TenantState, operations: readonly Operation[]): void {
  const forgotten = new Set<string>(
    [...tenant.redacted.values()].flatMap(({ slots }) =>
      [...slots].map(({ entry }) => entry.row.uuid),
    ),
  );
  const isGone = (root: Uuid): boolean =>
    forgotten.has(root) &&
    (tenant.roots.get(root) ?? []).every(({ entry }) => entry.row.status !== 'live');
  for (const operation of operations) {
    const uuid = 'uuid' in operation ? operation.uuid : null;
    const root = 'root_uuid' in operation ? operation.root_uuid : null;
    const sources = 'sources' in operation ? (operation.sources ?? []) : [];
    const isMadeOfIt =
      (uuid !== null && forgotten.has(uuid)) ||
      (root !== null && isGone(root)) ||
      sources.some((source) => typeof source === 'string' && forgotten.has(source));
    if (isMadeOfIt)
      throw new ContextEngineError('WRITE.REFUSED', {
        message: 'What is proposed is made of what was forgotten.',
        fix: 'Propose it from what is left.',
      });
  }
}
