/**
 * Connectors broken in how long what is written holds, one for each rule; see broken-connectors.ts.
 */
import type { Authority } from '../../src/cxri/authority.ts';
import { parseInstant } from '../../src/model/ids.ts';
import type { Operation } from '../../src/model/operation.ts';

const without = (operation: Operation, field: string): Operation =>
  Object.fromEntries(
    Object.entries(operation).filter(([name]) => name !== field),
  ) as unknown as Operation;

export const BROKEN_SPANS = {
  'takes every correction for a change': (right: Authority): Partial<Authority> => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) =>
          operation.operation === 'UPDATE' && operation.cause === 'correction'
            ? { ...operation, cause: 'change' as const }
            : operation,
        ),
      }),
  }),
  'takes a value that goes on longer for a duplicate': (
    right: Authority,
    memory: { readonly keys: Map<string, string> },
  ): Partial<Authority> => ({
    write: async (request) => {
      const operations = request.operations.map((operation) => {
        if (operation.operation !== 'ADD' || operation.table !== 'memory_schema_typed')
          return operation;
        const said = JSON.stringify([request.tenant, operation.scope, operation.content]);
        const until = memory.keys.get(said);
        memory.keys.set(said, until ?? String(operation.valid_until ?? ''));
        return until ? { ...operation, valid_until: parseInstant(until, 'until') } : operation;
      });
      return right.write({ ...request, operations });
    },
  }),
  'ignores the end of a correction': (right: Authority): Partial<Authority> => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) =>
          operation.operation === 'UPDATE' && operation.cause === 'correction'
            ? without(operation, 'valid_until')
            : operation,
        ),
      }),
  }),
  'takes the time of every clock as it is': (right: Authority): Partial<Authority> => ({
    write: async (request) =>
      right.write({
        ...request,
        operations: request.operations.map((operation) => without(operation, 'is_time_defaulted')),
      }),
  }),
};
