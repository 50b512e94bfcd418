/**
 * The keywords of our own: what the generated validators ask as `this.<keyword>(value, setting)`.
 */
import { parseInstant, parseUuid } from '../model/ids.ts';
import { isPlain } from '../model/plain-copy.ts';
import { isStorable, isStorableJson } from '../model/storable.ts';

export type Rules = Readonly<Record<string, (value: unknown, setting: never) => boolean>>;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a parser takes the value. */
const takes = (parse: (value: unknown, field: string) => unknown, value: unknown): boolean => {
  try {
    parse(value, '');
    return true;
  } catch {
    return false;
  }
};

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A keyword about texts holds for what is no text: `type` speaks of that. */
export const RULES: Rules = {
  plain: (value) => !isObject(value) || isPlain(value),
  notBlank: (value) => !isText(value) || value.trim() !== '',
  maxChars: (value, most: number) => !isText(value) || value.length <= most,
  maxBytes: (value, most: number) => !isText(value) || Buffer.byteLength(value) <= most,
  storable: (value) => !isText(value) || isStorable(value),
  json: (value, most: number) =>
    isObject(value) && startsAsObject(value) && isStorableJson(value, most),
  instant: (value) => takes(parseInstant, value),
  uuid: (value, setting: true | 'or_null') =>
    (value === null && setting === 'or_null') || takes(parseUuid, value),
  whole: (value) => value === null || Number.isSafeInteger(value),
  signal: (value) => value instanceof AbortSignal,
  distinct: (value, most: number) =>
    !Array.isArray(value) || (value.length <= most && distinct(value) === value.length),
};

/** An object may say something else of itself, by `toJSON`. */
function startsAsObject(value: object): boolean {
  try {
    return JSON.stringify(value)?.startsWith('{') === true;
  } catch {
    return false;
  }
}

/** Ids are the same in either case. */
export const distinct = (values: readonly unknown[]): number =>
  new Set(values.map((value) => (isText(value) ? value.toLowerCase() : value))).size;
