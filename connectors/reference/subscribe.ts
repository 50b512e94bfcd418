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

/** Where changes are read, and what is called when there are some. */
export interface Journals {
  head(scope: Uuid): number;
  entries(scope: Uuid): readonly Change[];
  readonly wake: Set<() => void>;
}

export const journalsOf = (store: Store, { tenant }: ChangeFilter): Journals => ({
  head: (scope) => store.tenants.get(tenant)?.scopes.get(scope)?.head ?? 0,
  entries: (scope) => {
    const journal = store.tenants.get(tenant)?.scopes.get(scope)?.journal ?? [];
    return journal.map(({ seq, operation, table, uuid, root_uuid }) => ({
      ...{ scope, seq, operation, table, uuid, root_uuid },
    }));
  },
  wake: store.wake,
});

export function subscribe(
  journals: Journals,
  filter: ChangeFilter,
  listener: ChangeListener,
): Subscription {
  const scopes = [...new Set(filter.scopes)];
  const reached = new Map(
    scopes.map((scope) => [
      scope,
      filter.after ? (headOf(filter.after, scope) ?? 0) : journals.head(scope),
    ]),
  );
  let isOpen = true;
  let ring: () => void = () => {};
  const wake = (): void => ring();

  const next = (scope: Uuid): readonly Change[] => {
    const from = reached.get(scope) ?? 0;
    return journals.entries(scope).filter(({ seq }) => seq > from);
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

  journals.wake.add(wake);
  const ended = run().finally(() => journals.wake.delete(wake));
  // Whoever wants to know why it stopped awaits `ended`; that no one does must not end the process.
  ended.catch(() => {});
  const dispose = async (): Promise<void> => {
    isOpen = false;
    wake();
    await ended.catch(() => {});
  };
  return { ended, [Symbol.asyncDispose]: dispose };
}
