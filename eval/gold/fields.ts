/**
 * Reading plain values of a gold file field by field: every slip is `EVAL.DATA` with the place and
 * what to write.
 */
import { ContextEngineError } from '../../src/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Where a value stands: the file, and a path inside it such as `stores.team.facts[3]`. */
export interface Place {
  readonly file: string;
  readonly at: string;
}

export const dataError = (message: string, fix: string, place: Place): ContextEngineError =>
  new ContextEngineError('EVAL.DATA', {
    message,
    fix,
    where: { file: place.file, field: place.at },
  });

export const under = (place: Place, step: string | number): Place => ({
  file: place.file,
  at:
    typeof step === 'number'
      ? `${place.at}[${step}]`
      : place.at === ''
        ? step
        : `${place.at}.${step}`,
});

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A mapping with no keys but the known ones. */
export function fieldsOf(value: unknown, known: readonly string[], place: Place): Fields {
  if (!isFields(value))
    throw dataError(
      `\`${place.at}\` is not a mapping.`,
      `Write keys such as ${known.slice(0, 4).join(', ')}.`,
      place,
    );
  const unknownKey = Object.keys(value).find((key) => !known.includes(key));
  if (unknownKey !== undefined)
    throw dataError(
      `\`${place.at}\` has the unknown key \`${unknownKey}\`.`,
      `Use ${known.join(', ')}.`,
      place,
    );
  return value;
}

/** The entries of a mapping, any keys. */
export function entriesOf(value: unknown, place: Place): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === null) return [];
  if (!isFields(value))
    throw dataError(
      `\`${place.at}\` is not a mapping.`,
      'Write one key a line, with its value.',
      place,
    );
  return Object.entries(value);
}

/** A mapping of texts, numbers and switches, as a composition takes its inputs. */
export function valuesOf(
  value: unknown,
  place: Place,
): Readonly<Record<string, string | number | boolean>> {
  const entries = entriesOf(value, place).map(
    ([key, entry]): [string, string | number | boolean] => {
      if (typeof entry === 'string' || typeof entry === 'number' || typeof entry === 'boolean')
        return [key, entry];
      throw dataError(
        `\`${key}\` of \`${place.at}\` is not a single value.`,
        'Write a text, a number, true or false.',
        under(place, key),
      );
    },
  );
  return Object.fromEntries(entries);
}

export function listOf(value: unknown, place: Place): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw dataError(
    `\`${place.at}\` is not a list.`,
    'Write one entry a line, each after a dash.',
    place,
  );
}

export function textOf(fields: Fields, key: string, place: Place): string {
  const value = fields[key];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw dataError(
    `\`${place.at}\` has no \`${key}\`, or it is not a text.`,
    `Add \`${key}\`.`,
    under(place, key),
  );
}

export const optionalText = (fields: Fields, key: string, place: Place): string | undefined =>
  fields[key] === undefined || fields[key] === null ? undefined : textOf(fields, key, place);

export function textsOf(value: unknown, place: Place): readonly string[] {
  return listOf(value, place).map((entry, index) => {
    if (typeof entry === 'string') return entry;
    throw dataError(
      `\`${place.at}[${index}]\` is not a text.`,
      'Write texts only; quote a number.',
      under(place, index),
    );
  });
}

export function optionalNumber(fields: Fields, key: string, place: Place): number | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw dataError(
    `\`${key}\` of \`${place.at}\` is not a number.`,
    `Write \`${key}\` as a number.`,
    under(place, key),
  );
}

/** A date or a time of ISO 8601, as the engine takes it. */
export function timeOf(fields: Fields, key: string, place: Place): string | undefined {
  const text = optionalText(fields, key, place);
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  throw dataError(
    `\`${key}\` of \`${place.at}\` is \`${text}\`, not a time.`,
    'Write ISO 8601, such as `2026-03-01` or `2026-03-01T09:00:00Z`.',
    under(place, key),
  );
}

export const timesOf = (value: unknown, place: Place): readonly string[] =>
  textsOf(value, place).flatMap(
    (text, index) => timeOf({ time: text }, 'time', under(place, index)) ?? [],
  );

/** Leaves out what is undefined: optional properties are absent, never undefined. */
export function present<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
