/** Connectors that take an edge, a lineage or a scope that the law refuses. */
import type { Authority } from '../../src/cxri/authority.ts';
import type { WriteRequest } from '../../src/cxri/contract.ts';
import type { Operation, WriteResult } from '../../src/model/operation.ts';

type Break = (right: Authority) => Partial<Authority>;

/** Acknowledges operations that the law refuses, by writing a NOOP in the place of each. */
const acknowledging =
  (isTaken: (operation: Operation) => boolean): Break =>
  (right) => ({
    write: async (request) => {
      const operations = request.operations.map(
        (operation): Operation =>
          isTaken(operation)
            ? { operation: 'NOOP', scope: operation.scope, reason: 'taken' }
            : operation,
      );
      return relabelled(await right.write({ ...request, operations }), request);
    },
  });

const relabelled = (result: WriteResult, { operations }: WriteRequest): WriteResult => ({
  ...result,
  receipts: result.receipts.map((receipt, index) => ({
    ...receipt,
    operation: operations[index]?.operation ?? receipt.operation,
  })),
});

const isLink = (operation: Operation, type: string): boolean =>
  operation.operation === 'ADD' &&
  operation.table === 'context_links' &&
  operation.content.link_type === type;

export const BROKEN_EDGES: Readonly<Record<string, Break>> = {
  'takes an edge that leads from anywhere': acknowledging((operation) =>
    isLink(operation, 'co_occurs'),
  ),
  'takes lineage written by hand': acknowledging((operation) => isLink(operation, 'derived_from')),
  'gives a scope another type': acknowledging(
    (operation) => operation.operation === 'UPDATE' && operation.table === 'blocks',
  ),
  'acknowledges a row under an id that is taken': (right) => ({
    write: async (request) =>
      right.write(request).catch(async (error: unknown) => {
        if (!String(error).includes('is taken')) throw error;
        const operations = request.operations.map(
          ({ scope }): Operation => ({ operation: 'NOOP', scope, reason: 'taken' }),
        );
        return relabelled(await right.write({ ...request, operations }), request);
      }),
  }),
  'grants a scope that was there to its second maker': (right) => ({
    write: async ({ must_be_new: _unread, ...request }) => right.write(request),
  }),
};
