/** What was served, in a map of its tenant. */
import type { ServedMark, ServedPort } from '../../src/cxri/ports/served.ts';
import { type Store, tenantOf } from './store.ts';

const keyOf = ({ principal, session_uuid: session, root_uuid: root }: ServedMark): string =>
  JSON.stringify([principal, session, root]);

export const servedPort = (store: Store): ServedPort => ({
  saveServed: async (tenant, marks, keptSince) => {
    const { served } = tenantOf(store, tenant);
    for (const mark of marks) {
      const known = served.get(keyOf(mark));
      if (!known || known.served_at < mark.served_at) served.set(keyOf(mark), mark);
    }
    for (const [key, { served_at: at }] of served) if (at < keptSince) served.delete(key);
  },
  servedTo: async (tenant, { principal, except_session: session, after }) => {
    const marks = [...(store.tenants.get(tenant)?.served.values() ?? [])].filter(
      (mark) =>
        mark.principal === principal && mark.session_uuid !== session && mark.served_at > after,
    );
    return [...new Set(marks.map(({ root_uuid: root }) => root))];
  },
});
