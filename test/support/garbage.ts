/** Values that no public entry takes, and the places of an argument to put them. */

const NOBODY = '00000000-0000-4000-8000-00000000dead';
export const GARBAGE: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  10n,
  '',
  'nonsense',
  NOBODY,
  '\0',
  '\ud83d',
  'constructor',
  'x'.repeat(10_000),
  [],
  [null],
  {},
  { nonsense: 1 },
  Object.create(null),
  new Date(Number.NaN),
  Symbol('nonsense'),
  () => 'nonsense',
];

export const nameOf = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 20));
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function')
    return String(value);
  return value instanceof Date ? 'Invalid Date' : (JSON.stringify(value) ?? 'undefined');
};

export type Path = readonly (string | number)[];

/** Every place in a value, the whole first. */
export function* placesOf(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* placesOf(item, [...path, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) yield* placesOf(item, [...path, key]);
}

export function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaced(item, rest, by) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, item]) => [
      key,
      key === step ? replaced(item, rest, by) : item,
    ]),
  );
}

/** Calls of what lists work, for one scope. */
export const listingCalls = (
  scope: string,
  permission_profile: object,
): Readonly<Record<string, readonly unknown[]>> => ({
  embedPending: [{ permission_profile }],
  'captures.list': [{ scope, limit: 1 }, { permission_profile }],
  'captures.progress': [scope, { permission_profile }],
  'jobs.list': [{ scope, limit: 1 }, { permission_profile }],
});
