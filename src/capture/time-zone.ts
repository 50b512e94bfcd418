import { ContextEngineError } from '../codes/errors.ts';

/** Throws `CONFIG.INVALID_VALUE`. */
export function checkTimeZone(zone: string): string {
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
