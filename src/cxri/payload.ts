/** What makes two operations "the same payload" under one idempotency key. */
import type { Operation } from '../model/operation.ts';

/**
 * Canonical JSON of what an operation says: without the ids, the reason, the clock readings that a
 * retry may make anew and the stamp of the write path, keys in code unit order. Connectors keep a
 * digest of it beside the key.
 */
export const payloadOf = (operation: Operation): string =>
  canonicalJson({
    ...operation,
    uuid: undefined,
    idempotency_key: undefined,
    reason: undefined,
    ...(operation.is_time_defaulted === true && { valid_from: undefined }),
    ...('content' in operation && { content: saidBy(operation) }),
  });

/** Without what the engine sets: the time of a block where it is the clock's, and who wrote. */
function saidBy({ is_time_defaulted: isClock, table, content }: VersionOperation): object {
  return {
    ...content,
    ...(isClock === true && table === 'blocks' && { occurred_at: undefined }),
    ...('provenance' in content && {
      provenance: { ...content.provenance, writer_kind: undefined, approver_kind: undefined },
    }),
  };
}

type VersionOperation = Extract<Operation, { readonly content: unknown }>;

/**
 * JSON with sorted keys, so that equal values have equal text. `undefined` members are left out, as
 * JSON does.
 */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
