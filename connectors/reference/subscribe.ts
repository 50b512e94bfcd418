/**
 * Changes in the order of each scope's journal. The listener's promise is awaited before it is
 * called again.
 */
import type {
  Change,
  ChangeFilter,
  ChangeListener,
  Subscription,
} from '../../src/cxri/contract.ts';
import type { Uuid } from '../../src/model/ids.ts';
import { headOf } from '../../src/model/validity.ts';
import type { Store } from './store.ts';

export function subscribe(
  store: Store,
  filter: ChangeFilter,
  listener: ChangeListener,
): Subscription {
  const scopes = [...new Set(filter.scopes)];
  const headNow = (scope: Uuid): number =>
    store.tenants.get(filter.tenant)?.scopes.get(scope)?.head ?? 0;
  const reached = new Map(
    scopes.map((scope) => [
      scope,
      filter.after ? (headOf(filter.after, scope) ?? 0) : headNow(scope),
    ]),
  );
  let isOpen = true;
  let ring: () => void = () => {};
  const wake = (): void => ring();

  const next = (scope: Uuid): readonly Change[] => {
    const from = reached.get(scope) ?? 0;
    const journal = store.tenants.get(filter.tenant)?.scopes.get(scope)?.journal ?? [];
    return journal
      .filter((entry) => entry.seq > from)
      .map(({ seq, operation, table, uuid, root_uuid }) => ({
        scope,
        seq,
        operation,
        table,
        uuid,
        root_uuid,
      }));
  };
  const run = async (): Promise<void> => {
    while (isOpen) {
      const woken = new Promise<void>((resolve) => {
        ring = resolve;
      });
      let isIdle = true;
      for (const scope of scopes) {
        const changes = isOpen ? next(scope) : [];
        const last = changes.at(-1);
        if (!last) continue;
        isIdle = false;
        await listener(changes);
        reached.set(scope, last.seq);
      }
      if (isIdle && isOpen) await woken;
    }
  };

  store.wake.add(wake);
  const ended = run().finally(() => store.wake.delete(wake));
  // Whoever wants to know why it stopped awaits `ended`; that no one does must not end the process.
  ended.catch(() => {});
  const dispose = async (): Promise<void> => {
    isOpen = false;
    wake();
    await ended.catch(() => {});
  };
  return { ended, [Symbol.asyncDispose]: dispose };
}
