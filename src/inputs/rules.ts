/**
 * The keywords of our own: what the generated validators ask as `this.<keyword>(value, setting)`.
 */
import {
  isStoredInstant,
  isStoredUuid,
  isTenant,
  isTimeText,
  parseInstant,
  parseUuid,
} from '../model/ids.ts';
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
    isObject(value) && isStorableJson(value, most) && !saysAnother(value),
  jsonValue: (value, most: number) => isStorableJson(value, most),
  instant: (value) => takes(parseInstant, value),
  uuid: (value, setting: true | 'or_null') =>
    (value === null && setting === 'or_null') || takes(parseUuid, value),
  whole: (value) => value === null || Number.isSafeInteger(value),
  signal: (value) => value instanceof AbortSignal,
  callable: (value, text: true | string) =>
    typeof value === 'function' || (isText(text) && value === text),
  methods: (value, names: readonly string[]) =>
    names.every((name) => typeof Object(value)[name] === 'function'),
  publicKey: (value) => isText(value) && !SMALL_ORDER.has(withoutSign(value)),
  tenant: isTenant,
  storedUuid: (value, setting: true | 'or_null') =>
    (value === null && setting === 'or_null') || isStoredUuid(value),
  source: (value, spelt: 'given' | 'stored') => isSource(value, spelt),
  storedInstant: (value, setting: true | 'or_null') =>
    (value === null && setting === 'or_null') || isStoredInstant(value),
  timeText: (value, setting: true | 'or_null') =>
    (value === null && setting === 'or_null') || isTimeText(value),
  distinctBy: (value, field: string) =>
    !Array.isArray(value) ||
    new Set(value.map((entry: unknown) => Object(entry)[field])).size === value.length,
  distinct: (value, most: number) =>
    !Array.isArray(value) || (value.length <= most && distinct(value) === value.length),
};

/** By `toJSON` an object may stand for a text or a number. */
const saysAnother = (value: object): boolean =>
  typeof Reflect.get(value, 'toJSON') === 'function' && !JSON.stringify(value).startsWith('{');

function isSource(value: unknown, spelt: 'given' | 'stored'): boolean {
  const isId = (id: unknown): boolean =>
    spelt === 'stored' ? isStoredUuid(id) : takes(parseUuid, id);
  if (!isObject(value)) return isId(value);
  const {
    scope,
    from_seq: from,
    to_seq: to,
    seen_seq: seen,
    ...rest
  } = { ...value } as Record<string, unknown>; // an object has members of any name
  const isSeq = (seq: unknown, least: number): seq is number =>
    typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= least;
  const isWhole = isSeq(from, 1) && isSeq(to, from) && (seen === undefined || isSeq(seen, to));
  return isPlain(value) && Object.keys(rest).length === 0 && isId(scope) && isWhole;
}

/** Ids are the same in either case. */
export const distinct = (values: readonly unknown[]): number =>
  new Set(
    values.map((value) =>
      isText(value) ? value.toLowerCase() : isObject(value) ? JSON.stringify(value) : value,
    ),
  ).size;

/** Points of small order, without their sign: anyone signs for such a key. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
const withoutSign = (key: string): string => {
  const last = Number.parseInt(key.slice(-2), 16) % 128;
  return key.slice(0, -2) + last.toString(16).padStart(2, '0');
};
