import { ContextEngineError } from '../codes/errors.ts';
import type { BlockRow } from '../model/block.ts';

/** By what turns say; a name that is none falls back. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 1000;

/** Where a turn was said: `metadata.time_zone`, else what the capture was asked with. */
export function zoneOf({ metadata }: Pick<BlockRow, 'metadata'>, fallback: string): string {
  const { time_zone: said } = metadata;
  if (typeof said !== 'string' || said.length > MOST_ZONE_CHARS) return fallback;
  const isZone = known.get(said) ?? isTimeZone(said);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(said, isZone);
  return isZone ? said : fallback;
}
const MOST_ZONE_CHARS = 64;

function isTimeZone(zone: string): boolean {
  try {
    checkTimeZone(zone);
    return true;
  } catch {
    return false;
  }
}

/** Throws `CONFIG.INVALID_VALUE`. */
export function checkTimeZone(zone: string): string {
  // The default needs no look into the tables of `Intl`, which takes 20 ms the first time.
  if (zone === 'UTC') return zone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message: `\`time_zone\` is \`${zone}\`.`,
      fix: 'Pass an IANA name, such as `Europe/Berlin`.',
      where: { field: 'time_zone' },
      cause,
    });
  }
}
