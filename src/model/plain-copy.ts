/**
 * Copies of what a caller passes. What is judged is what was copied: getters and `toJSON` run once,
 * here, and what the caller changes afterwards changes nothing.
 */
import { ContextEngineError } from '../codes/errors.ts';

/** A batch of 10,000 operations with metadata has some 60,000 objects. */
const MAX_OBJECTS = 1_000_000;

/** Wraps what is passed on by reference, such as a stream that is read once. */
export class Uncopied<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/**
 * Plain data: objects of their own enumerable fields, arrays, dates. Cycles stay cycles, for the
 * checks to refuse. An `AbortSignal` and an {@link Uncopied} are passed by reference.
 * A copy holds all that the original says, or is refused: a field that was left out in silence
 * could be the one that narrows a permission.
 * Throws `CONFIG.INVALID_VALUE` for an object that is not plain, and where a getter, a proxy or
 * `toJSON` throws, or has no end.
 */
export function plainCopy<T>(value: T): T {
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  try {
    return copyAll(value) as T;
  } catch (cause) {
    if (cause instanceof NotPlain)
      throw new ContextEngineError('CONFIG.INVALID_VALUE', {
        message:
          `${cause.key === '' ? 'An argument' : `\`${cause.key}\``} is \`not plain\`: ` +
          `${cause.message}`,
        fix: 'Pass a plain object, such as `{ ...fields }`: own, enumerable fields only.',
        where: { field: cause.key },
      });
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message:
        'An argument is `unreadable`: a getter, a proxy or `toJSON` of it fails or never ends.',
      fix: `Pass plain objects of data, with at most ${MAX_OBJECTS} parts.`,
      cause,
    });
  }
}

/** A prototype, or fields that a copy would leave out. */
class NotPlain extends Error {
  readonly key: string;

  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }
}

interface Pending {
  readonly from: object;
  readonly to: Record<string, unknown> | unknown[];
}

/** By a list of work: nesting has no limit but the number of objects. */
function copyAll(value: unknown): unknown {
  const copies = new Map<unknown, unknown>();
  const work: Pending[] = [];
  let budget = MAX_OBJECTS;
  const begin = (given: unknown, key: string): unknown => {
    const from = inJson(given, key);
    if (typeof from === 'function') return INERT;
    if (typeof from !== 'object' || from === null || isPassedOn(from)) return from;
    const known = copies.get(from);
    if (known !== undefined) return known;
    const date = dateOf(from);
    const isList = Array.isArray(from) || isTypedArray(from);
    if (!date && !isList) assertPlain(from, key);
    const to = date ?? (isList ? [] : {});
    copies.set(from, to);
    if (!(to instanceof Date)) work.push({ from, to });
    return to;
  };
  const copied = begin(value, '');
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { from, to } = next;
    if (Array.isArray(to)) {
      const { length } = from as unknown[]; // `to` is an array where `from` is a list
      budget -= length;
      for (let index = 0; index < length && budget > 0; index++)
        to[index] = begin(Reflect.get(from, index), String(index));
    } else {
      for (const key of Object.keys(from)) {
        budget -= 1;
        if (budget <= 0) break;
        define(to, key, begin(Reflect.get(from, key), key));
      }
    }
    if (budget <= 0) throw new RangeError('too many parts');
  }
  return copied;
}

/** A function has no data, and could be given a `toJSON` later. */
const INERT = Object.freeze(() => undefined);

/** `__proto__` is a field like any other. */
const define = (to: Record<string, unknown>, key: string, value: unknown): void => {
  Object.defineProperty(to, key, { value, writable: true, enumerable: true, configurable: true });
};

/** As `JSON.stringify` reads it, once: `toJSON` is called, and boxed values are taken out. */
function inJson(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof String || value instanceof Number || value instanceof Boolean)
    return value.valueOf();
  if (isPassedOn(value) || dateOf(value)) return value;
  const toJson: unknown = Reflect.get(value, 'toJSON');
  if (typeof toJson !== 'function') return value;
  const json: unknown = Reflect.apply(toJson, value, [key]);
  if (json === undefined) throw new NotPlain(key, 'its `toJSON` gives nothing.');
  return json;
}

const isTypedArray = (value: object): boolean =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** Whether all that an object says can be its own fields: it inherits from nothing. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    prototype === Object.prototype ||
    (typeof prototype === 'object' && isObjectOfRealm(prototype))
  );
}

/** `Object.prototype` of another realm: only a built-in `Object` has it for its `prototype`. */
function isObjectOfRealm(prototype: object): boolean {
  const maker: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  return (
    Object.getPrototypeOf(prototype) === null &&
    typeof maker === 'function' &&
    maker.prototype === prototype &&
    Function.prototype.toString.call(maker) === Function.prototype.toString.call(Object)
  );
}

/** No field of it is lost in a copy of its own, enumerable, named fields. */
function assertPlain(from: object, key: string): void {
  if (!isPlain(from)) throw new NotPlain(key, 'it is an instance of a class, or inherits fields.');
  const keys = Reflect.ownKeys(from);
  if (keys.length === Object.keys(from).length) return;
  const lost = keys.find((name) => {
    const field = Object.getOwnPropertyDescriptor(from, name);
    if (typeof name === 'string') return field?.enumerable !== true;
    return field?.get !== undefined || (typeof field?.value !== 'function' && field !== undefined);
  });
  if (lost !== undefined)
    throw new NotPlain(key, `its field \`${String(lost)}\` is a symbol or not enumerable.`);
}

/** A copy of a date; null for anything else, also for what only claims to be one. */
function dateOf(value: object): Date | null {
  if (!(value instanceof Date)) return null;
  try {
    return new Date(Date.prototype.getTime.call(value));
  } catch {
    return null;
  }
}

/** A proxy of a signal is none: its getters refuse it. */
function isPassedOn(value: object): boolean {
  if (value instanceof Uncopied) return true;
  if (!(value instanceof AbortSignal)) return false;
  try {
    return typeof value.aborted === 'boolean';
  } catch {
    return false;
  }
}

/** Freezes plain data through and through; what it holds can be shared. */
export function deepFreeze<T>(value: T): T {
  const work: unknown[] = [value];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    work.push(...Object.values(next));
  }
  return value;
}
