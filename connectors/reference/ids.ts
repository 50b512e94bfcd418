/**
 * Ids of what a write makes besides what the caller named: derived from what they stand for, so
 * that the same writes make the same ids.
 */
import { createHash } from 'node:crypto';
import { parseUuid, type Uuid } from '../../src/model/ids.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export function derivedUuid(...parts: readonly (string | number)[]): Uuid {
  const hex = sha256(JSON.stringify(parts));
  return parseUuid(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    'uuid',
  );
}

/** A copy of a version is listed in its place: its id begins as that of the version does. */
export const copyUuid = (of: Uuid, ...parts: readonly (string | number)[]): Uuid =>
  parseUuid(of.slice(0, ID_HALF) + derivedUuid(...parts).slice(ID_HALF), 'uuid');
const ID_HALF = 18;
