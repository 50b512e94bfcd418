/** The schemas of what is asked of the shared level of the embedding cache. */
import { asked, MAX_UUIDS, type RequestSchema, TIME } from './request-fields.ts';
import type { FieldSchema } from './schema.ts';

const DIGEST: FieldSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  fix: 'Pass 64 hexadecimal digits.',
};
const SPACE_NAME: FieldSchema = {
  type: 'string',
  notBlank: true,
  maxChars: 300,
  fix: 'Name the space of the vectors.',
};
const NOT_NEGATIVE: FieldSchema = {
  type: 'number',
  whole: true,
  minimum: 0,
  fix: 'Pass 0 or a positive integer.',
};
export const DAY: FieldSchema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  fix: 'Pass a day in UTC, such as `2026-05-01`.',
};

export const EMBEDDING_REQUESTS = {
  shared_vectors: asked({
    space: SPACE_NAME,
    digests: {
      type: 'array',
      maxItems: MAX_UUIDS,
      items: DIGEST,
      fix: `Pass at most ${MAX_UUIDS} digests of 64 hexadecimal digits.`,
    },
  }),
  shared_vectors_given: asked({
    space: SPACE_NAME,
    epoch: NOT_NEGATIVE,
    vectors: {
      type: 'array',
      maxItems: MAX_UUIDS,
      items: {
        type: 'object',
        properties: { digest: DIGEST, values: { type: 'array' } },
        required: ['digest', 'values'],
        fix: 'Pass `{ digest, values }`.',
      },
      fix: `Pass at most ${MAX_UUIDS} vectors.`,
    },
    at: TIME,
    kept_since: TIME,
  }),
  embedding_use: asked({
    day: DAY,
    space: SPACE_NAME,
    process: NOT_NEGATIVE,
    shared: NOT_NEGATIVE,
    provider: NOT_NEGATIVE,
    saved_chars: NOT_NEGATIVE,
  }),
  embedding_use_from: asked({ from_day: DAY }),
} as const satisfies Readonly<Record<string, RequestSchema>>;
