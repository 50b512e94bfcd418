import { ContextEngineError } from '../codes/errors.ts';

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
