/** What makes two operations "the same payload" under one idempotency key. */
import type { Operation } from '../model/operation.ts';

/**
 * Canonical JSON of what an operation says: without the ids, the reason and the clock readings that a retry may make anew, keys in code
 * unit order. Connectors keep a digest of it beside the key.
 */
export const payloadOf = (operation: Operation): string =>
  canonicalJson({ ...operation, uuid: undefined, idempotency_key: undefined, reason: undefined, ...withoutClock(operation) });

const withoutClock = (operation: Operation): object => {
  if (operation.is_time_defaulted !== true) return {};
  const isBlock = 'content' in operation && operation.table === 'blocks';
  return { valid_from: undefined, ...(isBlock && { content: { ...operation.content, occurred_at: undefined } }) };
};

/** JSON with sorted keys, so that equal values have equal text. `undefined` members are left out, as JSON does. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
