/** The schemas of what asks for a capture. */
import { type InputSchema, input, whole } from './schema.ts';

export const CAPTURE_SCHEMAS = {
  capture: input<{ readonly time_zone?: string; readonly max_batches?: number }>(
    { what: 'capture', code: 'CONFIG.INVALID_VALUE' },
    {
      time_zone: { type: 'string', fix: 'Pass an IANA name, such as `Europe/Berlin`.' },
      max_batches: whole(1, 1_000_000, 'Pass a whole number from 1.'),
    },
  ),
} as const satisfies Readonly<Record<string, InputSchema>>;
