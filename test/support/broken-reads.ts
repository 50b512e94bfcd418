/** Connectors that break one rule of reading by keys, of history or of changes each. */
import type { Authority } from '../../src/cxri/authority.ts';
import type { Change } from '../../src/cxri/contract.ts';

type Break = (right: Authority) => Partial<Authority>;

export const BROKEN_READS: Readonly<Record<string, Break>> = {
  'starts a scan again at each page': (right) => ({
    read: async (request) => {
      if (request.kind !== 'scan') return right.read(request);
      const { cursor: _cursor, ...rest } = request;
      return right.read(rest);
    },
  }),
  'loses the first row of each page': (right) => ({
    read: async (request) => {
      const answer = await right.read(request);
      return request.kind === 'scan' && request.cursor !== undefined
        ? { ...answer, rows: answer.rows.slice(1) }
        : answer;
    },
  }),
  'shows history newest first': (right) => ({
    read: async (request) => {
      const answer = await right.read(request);
      return request.kind === 'history' ? { ...answer, rows: [...answer.rows].reverse() } : answer;
    },
  }),
  'tells changes in reverse': (right) => ({
    subscribe: async (filter, listener) =>
      right.subscribe(filter, (some) => listener([...some].reverse())),
  }),
  'misses a change': (right) => ({
    subscribe: async (filter, listener) =>
      right.subscribe(filter, (some) =>
        listener(
          some.filter(
            (change: Change) =>
              change.operation !== 'NOOP' || change.seq % 2 === 0 || change.seq > 9,
          ),
        ),
      ),
  }),
  'begins every subscription anew': (right) => ({
    subscribe: async (filter, listener) => right.subscribe({ ...filter, after: [] }, listener),
  }),
  'does not wait for its listener': (right) => ({
    subscribe: async (filter, listener) =>
      right.subscribe(filter, (some) => {
        void Promise.resolve(listener(some)).catch(() => undefined);
        void Promise.resolve(listener(some)).catch(() => undefined);
      }),
  }),
};
