/**
 * Ids of what a write makes besides what its caller named: digests of what they stand for, so that
 * the same writes make the same ids.
 */
import { createHash } from 'node:crypto';
import { parseUuid, type Uuid } from '../../src/model/ids.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A UUID of version 8 (RFC 9562: the bits are the maker's own). */
export function digestUuid(...parts: readonly (string | number)[]): Uuid {
  const hex = sha256(JSON.stringify(parts));
  return parseUuid(
    [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `8${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-'),
    'uuid',
  );
}
