/**
 * Rules over two fields of what a caller of the write surface wrote. Each field by itself:
 * `inputs/`.
 */

import { ContextEngineError } from '../codes/errors.ts';
import type { Instant, Uuid } from '../model/ids.ts';
import { parseInstant, parseUuid } from '../model/ids.ts';
import type { Source } from '../model/operation.ts';
import type { SourceInput } from '../model/write-input.ts';

export const invalidWrite = (message: string, fix: string, field: string): ContextEngineError =>
  new ContextEngineError('WRITE.INVALID', { message, fix, where: { field } });

export const instantOr = (
  value: string | Date | undefined,
  field: string,
  fallback: Instant,
): Instant => (value === undefined ? fallback : parseInstant(value, field));

/** `valid_until`, after `valid_from`. */
export function checkUntil(
  value: string | Date | undefined,
  from: Instant,
): { readonly valid_until?: Instant } {
  if (value === undefined) return {};
  const until = parseInstant(value, 'valid_until');
  if (until <= from)
    throw invalidWrite(
      `\`valid_until\` \`${until}\` is not after \`valid_from\` \`${from}\`.`,
      'Give an end after the beginning.',
      'valid_until',
    );
  return { valid_until: until };
}

export const uuidsOf = (values: readonly string[] | undefined, field: string): readonly Uuid[] =>
  (values ?? []).map((value) => parseUuid(value, field));

export function sourcesOf(given: readonly SourceInput[] | undefined): {
  readonly sources?: readonly Source[];
} {
  const sources = (given ?? []).map((source) =>
    typeof source === 'string'
      ? parseUuid(source, 'sources')
      : { ...source, scope: parseUuid(source.scope, 'sources') },
  );
  return sources.length === 0 ? {} : { sources };
}
