/** The schemas of what asks for a capture, and for what was captured. */
import { MAX_BYTES } from '../model/content-limits.ts';
import { FACT_STATES, type FactFilter, type FactState } from '../model/fact-record.ts';
import type { FactChangeInput, TypedOptions } from '../model/write-input.ts';
import {
  ANYTHING,
  CONTENT,
  type FieldSchema,
  INSTANT,
  type InputSchema,
  input,
  JSON_OBJECT,
  SOURCES,
  share,
  text,
  UUID,
  whole,
} from './schema.ts';

const FILTER: FieldSchema = text({ maxChars: 512 });
const DAY: FieldSchema = {
  type: 'string',
  pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  fix: 'Pass a day in UTC, such as `2026-05-01`.',
};
interface UpkeepAsked {
  readonly scope?: string;
  readonly dry_run?: boolean;
  readonly limit?: number;
  readonly mount_seconds?: number;
}
const PAGE = whole(1, 1000, 'Pass a whole number from 1 to 1000.');
const LISTED = { what: 'listing', code: 'CONFIG.INVALID_VALUE' } as const;

export const CAPTURE_SCHEMAS = {
  capture: input<{
    readonly time_zone?: string;
    readonly max_batches?: number;
    readonly retry?: boolean;
  }>(
    { what: 'capture', code: 'CONFIG.INVALID_VALUE' },
    {
      time_zone: { type: 'string', fix: 'Pass an IANA name, such as `Europe/Berlin`.' },
      max_batches: whole(1, 1_000_000, 'Pass a whole number from 1.'),
      retry: { type: 'boolean', fix: 'Pass `true`, or leave it out.' },
    },
  ),
  capture_listing: input<{
    readonly scope: string;
    readonly limit?: number;
    readonly after?: string;
  }>(LISTED, { scope: UUID, limit: PAGE, after: FILTER }, ['scope']),
  job_listing: input<{ readonly scope?: string; readonly limit?: number }>(LISTED, {
    scope: UUID,
    limit: PAGE,
  }),
  fact_listing: input<
    Omit<FactFilter, 'source'> & {
      readonly scope?: string;
      readonly state?: FactState;
      readonly source?: string;
      readonly limit?: number;
      readonly after?: string;
    }
  >(LISTED, {
    scope: UUID,
    state: { enum: FACT_STATES, fix: `Use ${FACT_STATES.join(', ')}.` },
    subject: FILTER,
    class: FILTER,
    tag: FILTER,
    collection: FILTER,
    property: FILTER,
    extractor: FILTER,
    source: UUID,
    limit: PAGE,
    after: FILTER,
  }),
  cost_listing: input<{
    readonly scope?: string;
    readonly from_day?: string;
    readonly to_day?: string;
    readonly limit?: number;
  }>(LISTED, {
    scope: UUID,
    from_day: DAY,
    to_day: DAY,
    limit: PAGE,
  }),
  fact_search: input<{ readonly query: string; readonly scope: string; readonly limit?: number }>(
    { what: 'search', code: 'CONFIG.INVALID_VALUE' },
    {
      query: text({ maxChars: 10_000 }),
      scope: UUID,
      limit: whole(1, 100, 'Pass a whole number from 1 to 100.'),
    },
    ['query', 'scope'],
  ),
  core_change: input<{ readonly text: string }>(
    { what: 'core memory', code: 'WRITE.INVALID' },
    { text: text({ maxChars: 100_000 }) },
    ['text'],
  ),
  upkeep: input<UpkeepAsked>(
    { what: 'upkeep', code: 'CONFIG.INVALID_VALUE' },
    {
      scope: UUID,
      dry_run: { type: 'boolean', fix: 'Pass `true` or `false`.' },
      limit: whole(1, 100_000, 'Pass a whole number from 1 to 100000.'),
      mount_seconds: whole(0, 86_400, 'Pass whole seconds, at most a day.'),
    },
  ),
  /** Whose values. */
  profile_subject: input<{ readonly subject: string }>(
    { what: 'profile' },
    { subject: text({ maxBytes: MAX_BYTES.typed_key }) },
    ['subject'],
  ),
  profile_options: input<Pick<TypedOptions, 'confidence' | 'provenance' | 'sources'>>(
    { what: 'options' },
    { confidence: share('confidence'), provenance: JSON_OBJECT, sources: SOURCES },
  ),
  fact_change: input<FactChangeInput>(
    { what: 'change' },
    {
      content: CONTENT,
      value: ANYTHING,
      from: INSTANT,
      sources: SOURCES,
      reason: text({ maxChars: 10_000 }),
    },
  ),
} as const satisfies Readonly<Record<string, InputSchema>>;
