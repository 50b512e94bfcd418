import { ContextEngineError } from '../../codes/errors.ts';
import type { BlockRow } from '../../model/block.ts';

/** By what turns say; a name that is none falls back. */
const known = new Map<string, string | null>();
const MOST_KNOWN = 1000;

/** Where a turn was said: `metadata.time_zone`; without one that is known, as the capture says. */
export function zoneOf({ metadata }: Pick<BlockRow, 'metadata'>, fallback: string): string {
  const { time_zone: said } = metadata;
  if (typeof said !== 'string' || said.length > MOST_ZONE_CHARS) return fallback;
  let zone = known.get(said);
  if (zone === undefined) {
    zone = plainZone(said);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(said, zone);
  }
  return zone ?? fallback;
}
const MOST_ZONE_CHARS = 64;

/** As the tables spell it: a formatter is kept for each. */
function plainZone(said: string): string | null {
  try {
    return checkTimeZone(said);
  } catch {
    return null;
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
